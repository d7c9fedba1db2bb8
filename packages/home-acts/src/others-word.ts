import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { asAt } from '@hearth/addresses';
import { minute } from '@hearth/clock';
import { enumNames } from '@hearth/enum-names';
import { type AiStatus, AiStatusSchema } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { jsonNameOf } from '@hearth/proto-json';
import { anonymous } from '@hearth/rpc';
import { isJsonObject, type JsonObject, type JsonValue } from '@hearth/signing';
import { addressIn, checks, isIn } from './checks.ts';
import { findWords } from './db.ts';
import type { ThingParts } from './home-things.ts';
import { isSigned, type RecordedWord, wordsRecorded } from './record.ts';

/** A party of this home that another home names. */
export interface Ours {
  name: string;
  /** 0 for a person. */
  aiStatus: AiStatus;
}

/** The parties of this home that a thing names, by their address as it stands there; null for one that there is not. */
export type OursByAddress = ReadonlyMap<string, Ours | null>;

interface Receipt {
  ours: OursByAddress;
  /** When it came; milliseconds since 1970. */
  now: number;
}

/** So far ahead the clock of another home may be. */
export const mostAheadMs = 5 * minute;

/** As many addresses identity looks up at once. */
const mostAtOnce = 100;

const statuses = enumNames(AiStatusSchema);

type StateDeps = Pick<ThingParts, 'clock' | 'database' | 'homeNames' | 'peers' | 'schema'>;

/**
 * The same with the parties of this home looked up, and without records that its home did not sign, or with words that they did not give.
 *
 * @param home of the thing @param json with full addresses
 * @throws unavailable (home_unreachable) while a record can't be checked
 */
export async function asOthersMaySay(
  parts: StateDeps,
  desc: DescMessage,
  json: JsonObject,
  home: string,
): Promise<JsonObject> {
  const { clock, homeNames, peers } = parts;
  const records = recordsIn(desc, json, homeNames.ownHome);
  const named = [
    ...addressesIn(desc, json),
    ...Object.values(records).flatMap((words) => words.map(({ address }) => address)),
  ];
  const known = await findOurs(peers, named, homeNames.ownHome);
  // The name of one under 18 is no one's to see; other homes know nothing of them.
  const ours = new Map(
    [...known].map(([address, profile]) => [address, profile?.minor === false ? profile : null]),
  );
  const after = corrected(desc, json, { ours, now: clock.now() });
  const thing = String(json['id']);
  for (const [field, words] of Object.entries(records)) {
    const record = json[field];
    if (!isJsonObject(record)) continue;
    const counts =
      (await areGiven(parts, thing, words, known)) && (await isSigned(peers.records, record, home, thing));
    if (!counts) delete after[field];
  }
  return after;
}

/** The words of parties of this home in each record of a thing, by the name of its field. */
function recordsIn(desc: DescMessage, json: JsonObject, ownHome: string): Record<string, RecordedWord[]> {
  const { record = '' } = checks[desc.typeName] ?? {};
  const names = record.split(' ').filter((name) => name !== '');
  return Object.fromEntries(names.map((name) => [name, wordsRecorded(json[name] ?? null, ownHome)]));
}

/** Whether those of whom a record has words gave each of them by an act on the thing. */
async function areGiven(
  { database, schema }: Pick<StateDeps, 'database' | 'schema'>,
  thing: string,
  words: readonly RecordedWord[],
  known: ReadonlyMap<string, Profile | null>,
): Promise<boolean> {
  const idOf = ({ address }: RecordedWord) => known.get(address)?.id ?? '';
  const viewers = [...new Set(words.map(idOf))].filter((id) => id !== '');
  const acts = await findWords(database.db, schema, thing, viewers);
  return words.every((word) => word.isGivenBy?.(acts.filter(({ viewer }) => viewer === idOf(word))) ?? false);
}

/** The parties of this home among those addresses; null for one that there is not. */
async function findOurs(
  peers: StateDeps['peers'],
  all: readonly string[],
  ownHome: string,
): Promise<Map<string, Profile | null>> {
  const named = [...new Set(all)].filter((one) => asAt(one, ownHome) !== one);
  const addresses = named.map((one) => asAt(one, ownHome));
  const found = await Promise.all(
    Array.from({ length: Math.ceil(addresses.length / mostAtOnce) }, (_, nth) =>
      peers.identity.findProfiles(
        { addresses: addresses.slice(nth * mostAtOnce, (nth + 1) * mostAtOnce) },
        { caller: anonymous },
      ),
    ),
  );
  const profiles = found.flatMap(({ results }) => results);
  return new Map(named.map((one, index) => [one, profiles[index]?.profile ?? null]));
}

/** Puts names, roles and facts of parties of this home, as this one has them, in the place of those of another home, and clamps past times. */
export function corrected(desc: DescMessage, json: JsonObject, receipt: Receipt): JsonObject {
  const after: JsonObject = { ...json };
  for (const field of desc.fields) {
    const name = jsonNameOf(field);
    const value = json[name] ?? null;
    const now = value === null ? null : correctedField(desc, field, value, json, receipt);
    if (now === undefined) delete after[name];
    else if (now !== null) after[name] = now;
  }
  return after;
}

/** Undefined for what no other home says. */
function correctedField(
  desc: DescMessage,
  field: DescField,
  value: JsonValue,
  around: JsonObject,
  receipt: Receipt,
): JsonValue | undefined {
  const { by = {}, past = '', reader = '' } = checks[desc.typeName] ?? {};
  if (isIn(reader, field)) return undefined;
  const check = by[field.name];
  if (check !== undefined) {
    const address = addressIn(around, check.of);
    const ours = receipt.ours.get(address);
    return ours === undefined ? value : correct[check.is](value, ours, address);
  }
  if (isIn(past, field) && typeof value === 'string') return notAhead(value, receipt.now);
  const inner = field.message;
  if (inner === undefined || checks[inner.typeName] === undefined) return value;
  const turn = (one: JsonValue) => (isJsonObject(one) ? corrected(inner, one, receipt) : one);
  return Array.isArray(value) ? value.map(turn) : turn(value);
}

/** The word of this home in the place of that of another one; undefined for none. */
const correct: Record<
  'adult' | 'name' | 'role' | 'status' | 'unknown',
  (value: JsonValue, ours: Ours | null, address: string) => JsonValue | undefined
> = {
  name: (_, ours, address) => ours?.name || address,
  // An organizer is of the home of the group.
  role: () => 'member',
  status: (value, ours) => statuses.nameOf(ours?.aiStatus ?? 0) || value,
  unknown: () => undefined,
  // No one under 18 takes part in a thing of another home.
  adult: () => 'adult',
};

function notAhead(text: string, now: number): string {
  const most = now + mostAheadMs;
  return Date.parse(text) > most ? new Date(most).toISOString() : text;
}

/** Each address of a party in it, as it stands there. */
function addressesIn(desc: DescMessage, json: JsonObject): string[] {
  const { address = '' } = checks[desc.typeName] ?? {};
  return desc.fields.flatMap((field) => {
    const values = [json[jsonNameOf(field)] ?? null].flat();
    if (isIn(address, field)) return values.filter((value) => typeof value === 'string');
    if (field.message === undefined || checks[field.message.typeName] === undefined) return [];
    const inner = field.message;
    return values.flatMap((value) => (isJsonObject(value) ? addressesIn(inner, value) : []));
  });
}
