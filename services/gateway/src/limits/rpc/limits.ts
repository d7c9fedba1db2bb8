import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { callerKindOf, callerKinds, type Limit, type CallerKind as LimitedKind } from '@hearth/limits';
import type { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { boundKindOf, counted, keyOf } from '../domain/counted.ts';

const noBound = -1n;

/** GET /v0/limits: every limit of the home, and how much of it the caller has left. */
export const limits =
  (context: Context): UnaryHandler<typeof GatewayService.method.limits> =>
  async (_request, { caller }) => ({
    limits: await Promise.all(Object.values(context.limits).map((limit) => describe(limit, caller, context))),
  });

async function describe(limit: Limit, caller: Caller, { limiter }: Context) {
  const { name, meaning, unit, values, windowSeconds, fixed, size } = limit;
  const kind = callerKindOf(caller);
  const usage = counted.has(name)
    ? await limiter.peek(name, keyOf(name, caller), boundKindOf(name, kind))
    : null;
  return {
    name,
    meaning,
    unit,
    value: boundFor(size ? 'anyone' : kind, values),
    byCaller: byCaller(values),
    ...(windowSeconds !== undefined && { windowSeconds }),
    ...(usage !== null && {
      remaining: BigInt(usage.remaining),
      resetsAt: timestampFromMs(usage.resetsAt),
    }),
    fixed: fixed ?? false,
  };
}

/** The values for every kind of caller, where they differ. */
function byCaller(values: Limit['values']): Record<string, bigint> {
  const differ = callerKinds.some((kind) => values[kind] !== values.anyone);
  return differ ? Object.fromEntries(callerKinds.map((kind) => [kind, boundOf(values[kind])])) : {};
}

function boundFor(kind: LimitedKind | undefined, values: Limit['values']): bigint {
  return kind === undefined ? noBound : boundOf(values[kind]);
}

function boundOf(value: number | null): bigint {
  return value === null ? noBound : BigInt(value);
}
