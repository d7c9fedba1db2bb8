import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { callerKindOf, callerKinds, type Limit, type CallerKind as LimitedKind } from '@hearth/limits';
import type { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { countUses, type Used } from '../actions/count-uses.ts';
import type { Context } from '../context.ts';
import { boundKindOf, keyOf } from '../domain/counted.ts';

const noBound = -1n;

/** GET /v0/limits: every limit of the home, and the caller's remaining quota. */
export const limits =
  (context: Context): UnaryHandler<typeof GatewayService.method.limits> =>
  async (_request, call) => {
    const { caller } = call;
    const uses = await countUses(context, call);
    const all = Object.values(context.limits);
    return { limits: await Promise.all(all.map((limit) => describe(limit, caller, uses, context))) };
  };

async function describe(limit: Limit, caller: Caller, uses: ReadonlyMap<string, Used>, { limiter }: Context) {
  const { name, meaning, unit, values, windowSeconds, fixed, size, counted } = limit;
  const kind = callerKindOf(caller);
  const usage =
    counted === 'limiter' ? await limiter.peek(name, keyOf(name, caller), boundKindOf(name, kind)) : null;
  const bound = kind === undefined ? null : values[kind];
  const used = uses.get(name);
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
    ...(used !== undefined &&
      bound !== null && {
        remaining: BigInt(Math.max(0, bound - used.count)),
        ...(used.resetsAt !== undefined && { resetsAt: used.resetsAt }),
      }),
    fixed: fixed ?? false,
  };
}

/** The values for each kind of caller, if they differ. */
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
