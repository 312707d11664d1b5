// The module that the server makes of what is written with a pen: marks in their variants, strokes to count with.

export const PEN: {
  marks: Record<string, string[]>;
  underline: string;
  five: string[];
  zheng: string[];
};
