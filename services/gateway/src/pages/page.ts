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
  /** The surroundings of the page that answers. */
  frame: Frame;
  /** The value of a parameter of the path (`:token`). */
  param(name: string): string;
  query: URLSearchParams;
}

/** A form that a page of ours sent. */
export interface FormRequest extends PageRequest {
  form: URLSearchParams;
  /** The text of a field without space around it, its lines apart by \n; empty for one that was not sent. */
  field(name: string): string;
  /** The fields that were filled in, as members of a request: `{reason: 'cancel_reason'}` where these have another name. */
  given(...names: (string | Readonly<Record<string, string>>)[]): Record<string, string>;
  /** The fields as they were sent, for the page that shows them again. */
  values: Readonly<Record<string, string>>;
}

/** A request of one of our scripts, its `csrf` checked like that of a form. */
export interface ScriptRequest extends PageRequest {
  body: Readonly<Record<string, unknown>>;
}

/** A request of a person who is signed in, guests too. */
export type Own<R extends PageRequest = PageRequest> = R & { person: Caller };
export type OwnForm = Own<FormRequest>;

export type PageAnswer =
  | {
      html: string;
      status?: number;
      redirectUri?: string | undefined;
      headers?: readonly string[];
      /** The failure that the page tells: its status and headers are those of the answer. */
      failure?: HearthError | undefined;
    }
  /** A file that a browser saves. */
  | { file: string; mediaType: string; name: string }
  /** A path of this home, or where else a page leads on purpose. */
  | { goTo: string; headers?: readonly string[] };

export interface ScriptAnswer {
  json: unknown;
  headers?: readonly string[];
}

export type Answering<R, A> = (request: R) => Promise<A> | A;

/** A page for people: GET shows, and changes nothing but what was read; POST is its form. */
export interface Page<Get = PageRequest, Post = FormRequest> {
  get?: Answering<Get, PageAnswer>;
  post?: Answering<Post, PageAnswer>;
  /**
   * POST in the place of `post` that needs no proof of where it comes from, with a body that is not read: a mail program
   * sends it, which never saw the page (RFC 8058). The path holds a key.
   */
  oneClick?: Answering<PageRequest, PageAnswer>;
  /** POST of a script in the place of `post`: JSON both ways, `{error}` when it fails. */
  script?: Answering<ScriptRequest, ScriptAnswer>;
  /** A visitor without a session sees it by a link that their app sent them; its form takes a session then as ever. */
  opensByLink?: true;
  /** The limit that its form counts against (default: writes); for rpcs with limits of their own. */
  rate?: RateClass;
  /** The most bytes of its form (default: the limit body_bytes). */
  formBytes?: number;
}

/**
 * @param name for logs and traces: "sign_in"
 * @param path as express writes it: "/claim/:token"
 */
export type AddPage = (name: string, path: string, page: Page) => void;

/** The pages for people are made with it. */
export interface Context extends Pick<Host, 'clock' | 'config' | 'ids' | 'limits'>, Services, Held {
  addPage: AddPage;
  /** Adds a page for people with a session, as `signedIn` makes it. */
  addOwnPage(name: string, path: string, page: Page<Own, OwnForm>): void;
  rates: Pick<Rates, 'spend'>;
  sessions: Pick<Sessions, 'begin' | 'forget' | 'remember'>;
  /** Browsers make no passkeys for an IP address. */
  passkeys: boolean;
}

/** The page as a model describes it: 400 where it says why a form was not taken, or the status of what passes. */
export function shown(
  html: string,
  { errors, refused, passes }: { errors?: unknown; refused?: unknown; passes?: HearthError | undefined } = {},
): PageAnswer {
  return { html, status: (errors ?? refused) === undefined ? 200 : 400, failure: passes };
}
