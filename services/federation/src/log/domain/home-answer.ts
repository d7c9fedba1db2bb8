/** The answer to a request from another home. */
export interface HomeAnswer {
  status: number;
  headers: Record<string, string>;
  body: object;
  /** Composed by the gateway, instead of the body. */
  gathered?: { case: 'card'; value: CardWanted } | { case: 'peek'; value: { home: string; code: string } };
}

export interface CardWanted {
  home: string;
  /** In its local form. */
  address: string;
  /** Full address of the remote party that asks; empty for a stranger. */
  for: string;
}

const statuses = {
  bad_json: 400,
  bad_batch: 400,
  bad_item: 400,
  bad_version: 400,
  bad_signature: 401,
  unknown_key: 401,
  key_change: 401,
  clock: 401,
  replayed: 401,
  denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  out_of_step: 409,
  too_large: 413,
  unsupported_media_type: 415,
  wrong_destination: 421,
  too_many: 429,
  unavailable: 503,
} as const;

export type HomeErrorCode = keyof typeof statuses;

/** Thrown to answer the request with an error. */
export class HomeRefusal extends Error {
  readonly answer: HomeAnswer;

  constructor(
    code: HomeErrorCode,
    message: string,
    more: { retryAfterSeconds?: number; [member: string]: unknown } = {},
  ) {
    super(message);
    this.name = 'HomeRefusal';
    const { retryAfterSeconds, ...members } = more;
    this.answer = {
      status: statuses[code],
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      body: { error: message, code, ...members },
    };
  }
}
