import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, type HearthError, internal } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { OutboxRow } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { RememberedRequest } from '@hearth/requests';
import type { Caller } from '@hearth/rpc';
import { insertGuardianship } from '../../shared/db/guardianships.ts';
import {
  externalIdTaken,
  findByExternalId,
  insertPerson,
  lockPerson,
  type NewPerson,
  type PersonRow,
} from '../../shared/db/people.ts';
import type { BirthMonth } from '../../shared/domain/age-band.ts';
import { drawnHandle, handleBase, handleCandidates, handleTaken } from '../../shared/domain/handle-choice.ts';
import type { PeopleContext } from '../context.ts';
import { isHandleTaken, listTaken, takePersonAddress } from '../db/person-addresses.ts';
import { listAppsOf } from '../db/person-apps.ts';
import { personCreated } from '../domain/events.ts';
import { noteConsent } from './note-consent.ts';

/** Somebody who gets an account. */
export interface Newcomer
  extends Pick<NewPerson, 'name' | 'ageBand' | 'ageSource' | 'guest' | 'externalId' | 'timeZone' | 'locale'> {
  /** uuid; made when not given. */
  id?: string;
  /** Null to have one made from the name. */
  handle: string | null;
  birth: BirthMonth | null;
  /** uuid of an adult. */
  guardian: string | null;
  /** uuid of the app that holds them. */
  app: string | null;
}

export interface MakeOptions {
  by: Caller;
  remembered?: RememberedRequest | undefined;
  /** What else is written in the same transaction. */
  also?(tx: Tx, person: string): Promise<void>;
}

const handleTries = 5;
/** Undoes the transaction: somebody else has, or had, the handle. */
const takenMeanwhile = internal('a handle was taken meanwhile');

/** The new person; null when a parallel call with the same request_id, or the same id, made them. */
export async function makePerson(
  context: PeopleContext,
  newcomer: Newcomer,
  options: MakeOptions,
): Promise<PersonFacts | null> {
  for (let attempt = 1; ; attempt += 1) {
    const handle = newcomer.handle ?? (await freeHandle(context, newcomer, attempt));
    const person = toPerson(context, newcomer, handle);
    try {
      const rows = await context.database.transaction((tx) => store(context, tx, person, newcomer, options));
      if (rows === null) return null;
      context.outbox.committed(rows);
      return context.lookups.toFacts(asRow(person, newcomer));
    } catch (error) {
      if (externalIdTaken(error)) throw await externalIdInUse(context, newcomer);
      if (error !== takenMeanwhile && !isHandleTaken(error)) throw error;
      if (newcomer.handle !== null) throw handleTaken(newcomer.handle);
      if (attempt === handleTries) throw error;
    }
  }
}

/** The first that is free; when all with small numbers are taken, or others were quicker, one by lot. */
async function freeHandle(
  { database, random }: PeopleContext,
  { name, ageBand }: Newcomer,
  attempt: number,
): Promise<string> {
  const base = handleBase(name, ageBand !== 'adult');
  const candidates = handleCandidates(base);
  const taken = await listTaken(
    database.db,
    candidates.map((handle) => `@${handle}`),
  );
  const free = attempt < 3 ? candidates.find((handle) => !taken.has(`@${handle}`)) : undefined;
  if (free !== undefined) return free;
  const digits = Buffer.from(random.bytes(4)).readUInt32BE() % 1_000_000;
  return drawnHandle(base, String(digits).padStart(6, '0'));
}

function toPerson({ ages, clock, ids }: PeopleContext, newcomer: Newcomer, handle: string): NewPerson {
  const { name, ageBand, ageSource, guest, app, externalId, timeZone, locale, birth } = newcomer;
  const id = newcomer.id ?? ids.uuid();
  return {
    id,
    handle,
    name,
    birth: birth === null ? null : ages.sealBirth(id, birth),
    ageBand,
    ageSource,
    guest,
    app,
    externalId,
    timeZone,
    locale,
    createdAt: nowDate(clock),
  };
}

function asRow(person: NewPerson, { guardian }: Newcomer): PersonRow {
  return {
    ...person,
    aiShare: false,
    email: null,
    seq: 1,
    handleChangedAt: null,
    deletesAt: null,
    deletedAt: null,
    guardians: guardian === null ? [] : [guardian],
  };
}

async function store(
  context: PeopleContext,
  tx: Tx,
  person: NewPerson,
  newcomer: Newcomer,
  { by, remembered, also }: MakeOptions,
): Promise<OutboxRow[] | null> {
  const { creations, lookups, outbox } = context;
  if (remembered !== undefined && !(await creations.claim(tx, remembered, { person: person.id })))
    return null;
  if (!(await insertPerson(tx, person))) return null;
  if (!(await takePersonAddress(tx, `@${person.handle}`, person.id, person.createdAt))) throw takenMeanwhile;
  await nameGuardian(context, tx, person, newcomer, by);
  await also?.(tx, person.id);
  const row = asRow(person, newcomer);
  const apps = new Set(await listAppsOf(tx, [person.id, ...row.guardians]));
  const rows = [personCreated(outbox, lookups.toFacts(row), [...apps], by)];
  await outbox.announce(tx, rows);
  return rows;
}

async function nameGuardian(
  context: PeopleContext,
  tx: Tx,
  { id, ageBand, createdAt }: NewPerson,
  { guardian }: Newcomer,
  by: Caller,
): Promise<void> {
  if (ageBand === 'adult') return;
  await noteConsent(context, tx, { child: id, what: 'account', person: guardian, by });
  if (guardian === null) return;
  // Held until the end of the transaction: the account of a guardian cannot end in between.
  if ((await lockPerson(tx, guardian)) === null) throw badField('guardian', 'names nobody whom you hold');
  await insertGuardianship(tx, id, guardian, createdAt);
  await noteConsent(context, tx, { child: id, what: 'guardian', person: guardian, by });
}

async function externalIdInUse(
  { database }: PeopleContext,
  { app, externalId }: Newcomer,
): Promise<HearthError> {
  const existing =
    app === null || externalId === null ? null : await findByExternalId(database.db, app, externalId);
  return badField(
    'external_id',
    existing === null
      ? 'was taken by another person of yours at the same moment; try again'
      : `is the one of ${printId('per', existing)}, whom you hold already`,
  );
}
