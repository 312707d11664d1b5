/** The parts of a service worker's scope that the service worker uses. TypeScript has no scope beside the page's. */
declare namespace Background {
  interface Lasting extends Event {
    waitUntil(work: Promise<unknown>): void;
  }

  interface Request extends Lasting {
    readonly request: globalThis.Request;
    readonly preloadResponse: Promise<Response | undefined>;
    respondWith(answer: Promise<Response>): void;
  }

  interface Scope {
    readonly registration: ServiceWorkerRegistration;
    addEventListener(kind: "install" | "activate", listen: (event: Lasting) => void): void;
    addEventListener(kind: "fetch", listen: (event: Request) => void): void;
  }

  /** A stored file: its address, and the SHA-256 of its content. */
  interface File {
    address: string;
    digest: string;
  }
}

/** The stored files of one version, which the server writes before the service worker. */
declare const SHELL: {
  version: string;
  page: string;
  files: Background.File[];
  /** The addresses of stored sentences by their addresses without a hash. */
  sentences: Record<string, string>;
};
