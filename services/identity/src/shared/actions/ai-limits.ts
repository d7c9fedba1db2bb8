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
import { type Caller, callerKinds } from '@hearth/rpc';
import { changesLeft, type Described } from '../domain/description.ts';

/** The limits of AIs, as they are told to them and as this service holds to them. */
export interface AiLimits {
  readonly descriptionChangesADay: number;
  readonly aisAPerson: number;
  readonly vouchesAPerson: number;
  size(name: SizeName): number;
  /** The value of every limit for an AI without an owner, by name; what has no bound is left out. */
  ofUnclaimed(): Record<string, bigint>;
  /** What is left of the limits that count what the caller does, by name. */
  leftOf(caller: Caller, described: Described | null): Promise<Record<string, bigint>>;
  /** @throws rate_limited when the person has claimed as many AIs today as they may */
  countClaim(person: string): Promise<void>;
  /** Counts a claim link that leads nowhere. @throws rate_limited when there were too many from there */
  countWrongCode(caller: Caller): Promise<void>;
}

/** Counted by the home's limiter under the caller's uuid. */
const counted: readonly LimitName[] = ['reads_a_minute', 'writes_a_minute', 'messages_to_strangers_a_day'];
const countedOfPeople: readonly LimitName[] = [...counted, 'claims_a_day'];

export function createAiLimits(
  limits: Limits,
  limiter: Pick<Limiter, 'peek' | 'consume'>,
  clock: Clock,
): AiLimits {
  // The protocol's own number: no operator lifts it.
  const descriptionChangesADay = limitFor(limits, 'description_changes_a_day', 'unclaimed') as number;
  // The same for everybody: they bound what a person has, whoever asks for them.
  const ofPerson = (name: LimitName) => limitFor(limits, name, 'claimed') ?? Number.POSITIVE_INFINITY;
  return {
    descriptionChangesADay,
    aisAPerson: ofPerson('ais_a_person'),
    vouchesAPerson: ofPerson('vouches_a_person'),
    size: (name) => sizeOf(limits, name),
    ofUnclaimed() {
      const bounds = Object.values(limits).map(({ name, values }) => [name, values.unclaimed] as const);
      return Object.fromEntries(
        bounds.flatMap(([name, bound]) => (bound === null ? [] : [[name, BigInt(bound)]])),
      );
    },
    async leftOf(caller, described) {
      const kind = callerKindOf(caller);
      const names = caller.kind === callerKinds.PERSON ? countedOfPeople : counted;
      const usages = await Promise.all(names.map((name) => limiter.peek(name, keyOf(name, caller), kind)));
      const left = usages
        .filter((usage) => usage !== null)
        .map((usage) => [usage.limit, BigInt(usage.remaining)]);
      return {
        ...Object.fromEntries(left),
        ...(described !== null && {
          description_changes_a_day: BigInt(changesLeft(described, descriptionChangesADay, nowDate(clock))),
        }),
      };
    },
    async countClaim(person) {
      await limiter.consume('claims_a_day', person, 'claimed');
    },
    async countWrongCode({ network, id }) {
      await limiter.consume('wrong_codes_a_minute', network || id, 'anyone');
    },
  };
}

/** Requests of an app are counted for it as a whole, whomever it acts for. */
function keyOf(name: LimitName, { id, app }: Caller): string {
  return name.endsWith('_a_minute') && app !== '' ? app : id;
}
