import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, type HearthError, internal } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../../shared/actions/parts.ts';
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
import { notSuspended } from '../../shared/domain/suspension.ts';
import { isHandleTaken, listTaken, takePersonAddress } from '../db/person-addresses.ts';
import { listAppsOf } from '../db/person-apps.ts';
import { personCreated } from '../domain/events.ts';
import { checkMayGuard } from '../domain/guardianship.ts';
import { noteConsent } from './note-consent.ts';

type Deps = Pick<Host, 'clock' | 'commit' | 'database' | 'ids' | 'random'> &
  Pick<IdentityParts, 'ages' | 'people'>;

/** A person about to get an account. */
export interface Newcomer
  extends Pick<
    NewPerson,
    'name' | 'ageBand' | 'ageSource' | 'guest' | 'externalId' | 'timeZone' | 'locale' | 'language'
  > {
  /** uuid; generated if absent. */
  id?: string;
  /** null to derive one from the name. */
  handle: string | null;
  birth: BirthMonth | null;
  /** uuid of an adult. */
  guardian: string | null;
  /** uuid of the app that will hold them. */
  app: string | null;
}

export interface MakeOptions {
  by: Caller;
  /** Runs first in the transaction. */
  claim?(tx: Tx, result: { person: string }): Promise<void>;
  /** Writes more in the same transaction. */
  also?(tx: UnitOfWork, person: string): Promise<void>;
}

const handleTries = 5;

/** Rolls the transaction back: the handle is, or was, someone else's. */
const takenMeanwhile = internal('a handle was taken meanwhile');
/** Rolls the transaction back: a person with this id exists. */
const madeMeanwhile = internal('a person was made meanwhile');

/** Returns the new person; null if a concurrent call with the same id created them. */
export async function makePerson(
  deps: Deps,
  newcomer: Newcomer,
  options: MakeOptions,
): Promise<PersonFacts | null> {
  for (let attempt = 1; ; attempt += 1) {
    const handle = newcomer.handle ?? (await freeHandle(deps, newcomer, attempt));
    const person = toPerson(deps, newcomer, handle);
    try {
      await store(deps, person, newcomer, options);
      return deps.people.toFacts(asRow(person, newcomer));
    } catch (error) {
      if (error === madeMeanwhile) return null;
      if (externalIdTaken(error)) throw await externalIdInUse(deps, newcomer);
      if (error !== takenMeanwhile && !isHandleTaken(error)) throw error;
      if (newcomer.handle !== null) throw handleTaken(newcomer.handle);
      if (attempt === handleTries) throw error;
    }
  }
}

/**
 * Returns the first free candidate; a random one if all small numbers are taken or two attempts lost the
 * race.
 */
async function freeHandle(
  { database, random }: Deps,
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

function toPerson({ ages, clock, ids }: Deps, newcomer: Newcomer, handle: string): NewPerson {
  const { birth, guardian: _, ...given } = newcomer;
  const id = newcomer.id ?? ids.uuid();
  return {
    ...given,
    id,
    handle,
    birth: birth === null ? null : ages.sealBirth(id, birth),
    createdAt: nowDate(clock),
  };
}

function asRow(person: NewPerson, { guardian }: Newcomer): PersonRow {
  return {
    ...person,
    aiShare: false,
    email: null,
    handleChangedAt: null,
    deletesAt: null,
    deletedAt: null,
    ...notSuspended,
    guardians: guardian === null ? [] : [guardian],
  };
}

async function store(
  deps: Deps,
  person: NewPerson,
  newcomer: Newcomer,
  { by, claim, also }: MakeOptions,
): Promise<void> {
  await deps.commit(async (tx) => {
    await claim?.(tx, { person: person.id });
    if (!(await insertPerson(tx, person))) throw madeMeanwhile;
    if (!(await takePersonAddress(tx, `@${person.handle}`, person.id, person.createdAt)))
      throw takenMeanwhile;
    await nameGuardian(deps, tx, person, newcomer, by);
    await also?.(tx, person.id);
    const row = asRow(person, newcomer);
    const apps = await listAppsOf(tx, [person.id, ...row.guardians]);
    tx.announce(personCreated(deps.people.toFacts(row), apps, by));
  });
}

async function nameGuardian(
  deps: Deps,
  tx: Tx,
  { id, ageBand, createdAt }: NewPerson,
  { guardian }: Newcomer,
  by: Caller,
): Promise<void> {
  if (ageBand === 'adult') return;
  await noteConsent(deps, tx, { child: id, what: 'account', person: guardian, by });
  if (guardian === null) return;
  // Locked until the end of the transaction, so that the guardian's account cannot end in between.
  const adult = await lockPerson(tx, guardian);
  checkMayGuard(adult && deps.people.toFacts(adult), deps.clock.now());
  await insertGuardianship(tx, id, guardian, createdAt);
  await noteConsent(deps, tx, { child: id, what: 'guardian', person: guardian, by });
}

async function externalIdInUse({ database }: Deps, { app, externalId }: Newcomer): Promise<HearthError> {
  const existing =
    app === null || externalId === null ? null : await findByExternalId(database.db, app, externalId);
  return badField(
    'external_id',
    existing === null
      ? 'was taken by another person of yours at the same moment; try again'
      : `is the one of ${printId('per', existing)}, whom you hold already`,
  );
}
