/** The HTTP route of an operation. */
export interface Route {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Input fields in braces: `/v0/messages/{id}`. */
  path: string;
  /** Whether the other fields go in a JSON body (default: in the query). */
  body?: true;
  /** Whether it takes a request_id, which makes it idempotent. */
  once?: true;
  /** Whether it may be retried if its answer was lost. */
  again?: true;
  /** Whether the answer is text instead of JSON. */
  text?: true;
  /** The longest time that the home holds the call, in seconds. */
  held?: number;
}

export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
}
