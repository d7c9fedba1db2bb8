import type { HearthError } from '@hearth/errors';
import type { RateClass } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Frame } from '@hearth/web';
import type { Exchange } from '../http/module.ts';
import type { Rates } from '../limits/module.ts';
import type { Sessions, Visit } from '../sessions/module.ts';
import type { Held } from './held.ts';
import type { Services } from './services.ts';

export interface PageRequest {
  exchange: Exchange;
  visit: Visit;
  /** The frame of the page that answers. */
  frame: Frame;
  /** The value of a path parameter (`:token`). */
  param(name: string): string;
  query: URLSearchParams;
}

/** A form submitted from one of our pages. */
export interface FormRequest extends PageRequest {
  form: URLSearchParams;
  /** A field's trimmed text, with LF as line breaks; empty if it was not sent. */
  field(name: string): string;
  /** The filled-in fields as members of a request: `{reason: 'cancel_reason'}` for fields with another name. */
  given(...names: (string | Readonly<Record<string, string>>)[]): Record<string, string>;
  /** The fields as sent, for a page that shows them again. */
  values: Readonly<Record<string, string>>;
}

/** A request from one of our scripts, with its `csrf` checked like a form's. */
export interface ScriptRequest extends PageRequest {
  body: Readonly<Record<string, unknown>>;
}

/** A request from a person with a session; this includes guests. */
export type Own<R extends PageRequest = PageRequest> = R & { person: Caller };
export type OwnForm = Own<FormRequest>;

export type PageAnswer =
  | {
      html: string;
      status?: number;
      redirectUri?: string | undefined;
      headers?: readonly string[];
      /** The failure that the page explains; it sets the answer's status and headers. */
      failure?: HearthError | undefined;
    }
  /** A file to download. */
  | { file: string; mediaType: string; name: string }
  /** A path of this home, or a deliberate redirect elsewhere. */
  | { goTo: string; headers?: readonly string[] };

export interface ScriptAnswer {
  json: unknown;
  headers?: readonly string[];
}

export type Answering<R, A> = (request: R) => Promise<A> | A;

/** A page for people. GET shows it, and changes nothing except read marks; POST submits its form. */
export interface Page<Get = PageRequest, Post = FormRequest> {
  get?: Answering<Get, PageAnswer>;
  post?: Answering<Post, PageAnswer>;
  /**
   * POST that replaces `post` and needs no CSRF token; its body is not read. Mail programs send it without
   * having seen the page (RFC 8058). The path contains a key.
   */
  oneClick?: Answering<PageRequest, PageAnswer>;
  /** POST from a script that replaces `post`: JSON both ways, `{error}` on failure. */
  script?: Answering<ScriptRequest, ScriptAnswer>;
  /** A visitor without a session can open it by a link from their app; its form still needs a session. */
  opensByLink?: true;
  /** The limit that its form counts against (default: writes); for rpcs with limits of their own. */
  rate?: RateClass;
  /** The form's maximum size in bytes (default: the limit body_bytes). */
  formBytes?: number;
}

/** @param name for logs and traces: "sign_in" @param path an express path: "/claim/:token" */
export type AddPage = (name: string, path: string, page: Page) => void;

/** The context with which pages for people are made. */
export interface Context
  extends Pick<Host, 'clock' | 'config' | 'ids' | 'languages' | 'limits'>,
    Services,
    Held {
  addPage: AddPage;
  /** Adds a page that needs a session; see `signedIn`. */
  addOwnPage(name: string, path: string, page: Page<Own, OwnForm>): void;
  rates: Pick<Rates, 'spend'>;
  sessions: Pick<Sessions, 'begin' | 'forget' | 'remember'>;
  /** Whether browsers can create passkeys here; they cannot for an IP address. */
  passkeys: boolean;
}

/** The page with status 400 if its form was refused, or with the status of a temporary failure. */
export function shown(
  html: string,
  { errors, refused, passes }: { errors?: unknown; refused?: unknown; passes?: HearthError | undefined } = {},
): PageAnswer {
  return { html, status: (errors ?? refused) === undefined ? 200 : 400, failure: passes };
}
