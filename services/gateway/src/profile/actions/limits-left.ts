import { callerKindOf, type LimitName } from '@hearth/limits';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Limits that the home's limiter counts by the caller's uuid. */
const counted: readonly LimitName[] = ['reads_a_minute', 'writes_a_minute', 'messages_to_strangers_a_day'];
const countedOfPeople: readonly LimitName[] = [...counted, 'children_a_day', 'claims_a_day'];

/** The caller's remaining quota, by the name of the limit. */
export async function limitsLeft(
  { limiter }: Pick<Context, 'limiter'>,
  caller: Caller,
): Promise<Record<string, bigint>> {
  const kind = callerKindOf(caller);
  const names = caller.kind === callerKinds.PERSON ? countedOfPeople : counted;
  const usages = await Promise.all(names.map((name) => limiter.peek(name, keyOf(name, caller), kind)));
  const left = usages.filter((usage) => usage !== null);
  return Object.fromEntries(left.map((usage) => [usage.limit, BigInt(usage.remaining)]));
}

/** An app's requests are counted for the whole app, whoever it acts for. */
function keyOf(name: LimitName, { id, app }: Caller): string {
  return name.endsWith('_a_minute') && app !== '' ? app : id;
}
