import type { Figure } from './case.ts';
import type { Floor } from './floor.ts';

const names: Readonly<Record<keyof Floor, string>> = {
  http: 'node:http, small JSON POST (server alone)',
  sign: 'Ed25519 sign',
  verify: 'Ed25519 verify',
  canonicalize: 'JCS of 1 KB',
  encode: 'protobuf encode, 500 B',
  decode: 'protobuf decode, 500 B',
  grpc: 'grpc-js unary, 16 in flight (both sides)',
  insert: 'Postgres: row and outbox row, one statement',
  insertBatched: 'Postgres: the same in batches of 50, each',
  select: 'Postgres: select by key',
  selectBatched: 'Postgres: 50 keys in one select, each',
  natsPublish: 'NATS core publish',
  jetstreamPublish: 'JetStream publish, 64 in flight',
  redis: 'Redis INCR, 64 in flight',
};

/** The floor as the figures of a case. */
export function floorFigures(floor: Floor): Figure[] {
  return Object.entries(names).map(([key, name]) => ({
    name,
    value: floor[key as keyof Floor],
    unit: 'CPU µs',
  }));
}
