/** The answer to a request of another home. */
export interface HomeAnswer {
  status: number;
  headers: Record<string, string>;
  body: object;
  /** Gathered by the gateway, in place of the body. */
  gathered?: { case: 'card'; value: CardWanted } | { case: 'peek'; value: { home: string; code: string } };
}

export interface CardWanted {
  home: string;
  /** In its local form. */
  address: string;
  /** The full address of the party there who looks; empty for a stranger. */
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

/** Thrown: the request is answered with this. */
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
