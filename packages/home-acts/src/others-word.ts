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

/** A local party that another home names. */
export interface Ours {
  name: string;
  /** 0 for a person. */
  aiStatus: AiStatus;
}

/** The local parties that a thing names, by the address used there; null if there is no such party. */
export type OursByAddress = ReadonlyMap<string, Ours | null>;

interface Receipt {
  ours: OursByAddress;
  /** Time of receipt in ms since 1970. */
  now: number;
}

/** The allowed clock skew of another home. */
export const mostAheadMs = 5 * minute;

/** The most addresses that identity looks up at once. */
const mostAtOnce = 100;

const statuses = enumNames(AiStatusSchema);

type StateDeps = Pick<ThingParts, 'clock' | 'database' | 'homeNames' | 'peers' | 'schema'>;

/**
 * Corrects another home's statements: looks up the local parties, and removes records that the home did not
 * sign, or that have words the parties did not give.
 *
 * @param home of the thing
 * @param json with full addresses
 * @throws unavailable (home_unreachable) while a record can't be verified
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
  // Other homes know nothing of people under 18, so their names stay hidden.
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

/** Returns the words of local parties in each record of a thing, by field name. */
function recordsIn(desc: DescMessage, json: JsonObject, ownHome: string): Record<string, RecordedWord[]> {
  const { record = '' } = checks[desc.typeName] ?? {};
  const names = record.split(' ').filter((name) => name !== '');
  return Object.fromEntries(names.map((name) => [name, wordsRecorded(json[name] ?? null, ownHome)]));
}

/** Whether each local party gave all the words that a record attributes to them by acts on the thing. */
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

/** Returns the local parties among these addresses; null if there is no such party. */
async function findOurs(
  peers: StateDeps['peers'],
  all: readonly string[],
  ownHome: string,
): Promise<Map<string, Profile | null>> {
  const named = [...new Set(all)].filter((address) => asAt(address, ownHome) !== address);
  const addresses = named.map((address) => asAt(address, ownHome));
  const found = await Promise.all(
    Array.from({ length: Math.ceil(addresses.length / mostAtOnce) }, (_, nth) =>
      peers.identity.findProfiles(
        { addresses: addresses.slice(nth * mostAtOnce, (nth + 1) * mostAtOnce) },
        { caller: anonymous },
      ),
    ),
  );
  const profiles = found.flatMap(({ results }) => results);
  return new Map(named.map((address, index) => [address, profiles[index]?.profile ?? null]));
}

/** Replaces names, roles and facts of local parties by this home's own, and clamps past times. */
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

/** Returns undefined for a field that other homes may not state. */
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
  const correctedIn = (element: JsonValue) =>
    isJsonObject(element) ? corrected(inner, element, receipt) : element;
  return Array.isArray(value) ? value.map(correctedIn) : correctedIn(value);
}

/** This home's own fact about a local party; undefined removes the field. */
const correct: Record<
  'adult' | 'name' | 'role' | 'status' | 'unknown',
  (value: JsonValue, ours: Ours | null, address: string) => JsonValue | undefined
> = {
  name: (_, ours, address) => ours?.name || address,
  // Organizers are always local to the group's home.
  role: () => 'member',
  status: (value, ours) => statuses.nameOf(ours?.aiStatus ?? 0) || value,
  unknown: () => undefined,
  // No one under 18 takes part in remote things.
  adult: () => 'adult',
};

function notAhead(text: string, now: number): string {
  const most = now + mostAheadMs;
  return Date.parse(text) > most ? new Date(most).toISOString() : text;
}

/** Returns the addresses of parties in an object, as written there. */
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
