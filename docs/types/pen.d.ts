// Made by docs/make_types.py, not to be changed by hand.

export const PEN: {
  marks: Record<string, string[]>;
  underline: string;
  five: string[];
  zheng: string[];
};
