/** CPU µs for one operation, client and server together, as measured at the start of each run. */
export interface Floor {
  /** A small JSON POST, server only. */
  http: number;
  sign: number;
  verify: number;
  canonicalize: number;
  encode: number;
  decode: number;
  /** Unary over grpc-js, 16 in flight. */
  grpc: number;
  /** A row with its outbox row, in one statement each. */
  insert: number;
  /** `insert` in batches of 50, for each row. */
  insertBatched: number;
  select: number;
  /** 50 keys in one statement, for each row. */
  selectBatched: number;
  natsPublish: number;
  jetstreamPublish: number;
  redis: number;
}

/** The floor of one message from its POST to the answered poll, with the best possible batching of both. */
export function messageFloor(floor: Floor, layout: string): { value: number; of: string } {
  const { http, insertBatched, selectBatched, natsPublish, redis, decode, encode } = floor;
  const inOne = 2 * http + 2 * insertBatched + 2 * selectBatched + 4 * (encode + decode);
  if (!layout.startsWith('split')) {
    return { value: inOne, of: '2 HTTP + 2 rows in batches + 2 reads in batches + 4 encodings' };
  }
  return {
    value: inOne + 2 * redis + natsPublish,
    of: '2 HTTP + 2 rows in batches + 2 reads in batches + 4 encodings + 2 Redis + 1 NATS',
  };
}
