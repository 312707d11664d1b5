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

  interface PushEvent extends Lasting {
    readonly data: { json(): { title: string; body: string; link: string; tag: string } };
  }

  interface SubscriptionEvent extends Lasting {
    readonly newSubscription: PushSubscription | null;
  }

  interface ClickEvent extends Lasting {
    readonly notification: Notification;
  }

  interface Page {
    readonly url: string;
    readonly focused: boolean;
    readonly visibilityState: DocumentVisibilityState;
    focus(): Promise<unknown>;
  }

  interface Scope {
    readonly registration: ServiceWorkerRegistration;
    readonly clients: {
      matchAll(options: { type: "window" }): Promise<Page[]>;
      openWindow(address: string): Promise<unknown>;
    };
    addEventListener(kind: "install" | "activate", listen: (event: Lasting) => void): void;
    addEventListener(kind: "fetch", listen: (event: Request) => void): void;
    addEventListener(kind: "push", listen: (event: PushEvent) => void): void;
    addEventListener(kind: "pushsubscriptionchange", listen: (event: SubscriptionEvent) => void): void;
    addEventListener(kind: "notificationclick", listen: (event: ClickEvent) => void): void;
  }

  /** A stored file: its address, and the SHA-256 of its content. */
  interface File {
    address: string;
    digest: string;
  }
}

/** The functions of keys.js, which the server writes before the service worker. */
declare const KEYS: Pick<
  typeof import("../../src/noughts/interfaces/web/static/keys.js"),
  "deviceKey" | "signText"
>;

/** The stored files of one version, which the server writes before the service worker. */
declare const SHELL: {
  version: string;
  page: string;
  files: Background.File[];
  /** The addresses of stored sentences by their addresses without a hash. */
  sentences: Record<string, string>;
};
