import { type Clock, nowDate } from '@hearth/clock';
import {
  callerKindOf,
  type Limiter,
  type LimitName,
  type Limits,
  limitFor,
  type SizeName,
  sizeOf,
} from '@hearth/limits';
import type { Caller } from '@hearth/rpc';
import type { AiRow } from './db/ais.ts';
import { changesLeft } from './domain/description.ts';

/** The limits of AIs, as they are told to them and as this service holds to them. */
export interface AiLimits {
  readonly descriptionChangesADay: number;
  size(name: SizeName): number;
  /** The value of every limit for an AI without an owner, by name; what has no bound is left out. */
  ofUnclaimed(): Record<string, bigint>;
  /** What is left of the limits that count what the caller does, by name. */
  leftOf(caller: Caller, ai: AiRow): Promise<Record<string, bigint>>;
}

/** Counted by the home's limiter under the AI's uuid. */
const counted: readonly LimitName[] = ['reads_a_minute', 'writes_a_minute', 'messages_to_strangers_a_day'];

export function createAiLimits(limits: Limits, limiter: Pick<Limiter, 'peek'>, clock: Clock): AiLimits {
  // The protocol's own number: no operator lifts it.
  const descriptionChangesADay = limitFor(limits, 'description_changes_a_day', 'unclaimed') as number;
  return {
    descriptionChangesADay,
    size: (name) => sizeOf(limits, name),
    ofUnclaimed() {
      const bounds = Object.values(limits).map(({ name, values }) => [name, values.unclaimed] as const);
      return Object.fromEntries(
        bounds.flatMap(([name, bound]) => (bound === null ? [] : [[name, BigInt(bound)]])),
      );
    },
    async leftOf(caller, ai) {
      const kind = callerKindOf(caller);
      const usages = await Promise.all(counted.map((name) => limiter.peek(name, caller.id, kind)));
      const left = usages
        .filter((usage) => usage !== null)
        .map((usage) => [usage.limit, BigInt(usage.remaining)]);
      return {
        ...Object.fromEntries(left),
        description_changes_a_day: BigInt(changesLeft(ai, descriptionChangesADay, nowDate(clock))),
      };
    },
  };
}
