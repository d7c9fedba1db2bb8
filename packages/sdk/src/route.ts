/** How an operation is called over HTTP. */
export interface Route {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Fields of the input stand in braces: `/v0/messages/{id}`. */
  path: string;
  /** Whether the other fields go in a JSON body; in the query else. */
  body?: true;
  /** Takes a request_id, by which it is done once. */
  once?: true;
  /** Whether it may be sent again where its answer was lost. */
  again?: true;
  /** Whether the answer is text, and not JSON. */
  text?: true;
  /** The longest for which it is held, in seconds. */
  held?: number;
}

export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
}
