import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, forbidden, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { PeopleService, PersonFacts, UpdatePersonRequest } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { peopleAndCredentialsChanged } from '../../shared/actions/people.ts';
import { lockPerson, type PersonRow } from '../../shared/db/people.ts';
import { checkHandleChange, handleTaken, readHandle } from '../../shared/domain/handle-choice.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { requireStanding, standingOf } from '../../shared/domain/standing.ts';
import { readTimeZone } from '../../shared/domain/time-zone.ts';
import { changePerson, type PersonChange } from '../actions/change-person.ts';
import { moveHandle } from '../actions/move-handle.ts';
import { noteConsent } from '../actions/note-consent.ts';
import { seenPerson } from '../actions/seen-person.ts';
import type { PeopleContext } from '../context.ts';
import { isHandleTaken } from '../db/person-addresses.ts';
import { listAiIdsOf } from '../db/person-ais.ts';

type Wanted = Partial<Pick<PersonRow, 'name' | 'handle' | 'timeZone' | 'aiShare'>>;

const notTheirs = 'only the person themselves, their guardian, or the app that holds them can change this';

/** Changes a person. What is as it was already is no change, and nothing is announced for it. */
export function updatePerson(context: PeopleContext): UnaryHandler<typeof PeopleService.method.updatePerson> {
  const { bus, database, lookups, outbox } = context;
  return async (request, call) => {
    const wanted = readWanted(request);
    const seen = await seenPerson(context, request.id, call);
    mayChange(call.caller, seen, wanted);
    const done = await database
      .transaction((tx) => change(context, tx, seen.id, wanted, call.caller))
      .catch((error: unknown) => {
        throw wanted.handle !== undefined && isHandleTaken(error) ? handleTaken(wanted.handle) : error;
      });
    outbox.committed(done.rows);
    if (done.rows.length > 0) peopleAndCredentialsChanged(bus, [seen.id], done.ais);
    return lookups.show(done.facts, call.caller);
  };
}

function readWanted({ name, handle, timeZone, aiShare }: UpdatePersonRequest): Wanted {
  return {
    ...(name !== undefined && { name: readPersonName(name) }),
    ...(handle !== undefined && { handle: readHandle(handle) }),
    ...(timeZone !== undefined && { timeZone: readTimeZone(timeZone) }),
    ...(aiShare !== undefined && { aiShare }),
  };
}

/** @throws not_found, forbidden; bad_field for ai_share of an adult */
function mayChange(caller: Caller, facts: PersonFacts, { aiShare }: Wanted): void {
  requireStanding(caller, facts, ['self', 'guardian', 'holder'], notTheirs);
  if (aiShare === undefined) return;
  if (facts.ageBand === AgeBand.ADULT) throw badField('ai_share', 'is for people under 18');
  if (standingOf(caller, facts) !== 'guardian') {
    throw forbidden(
      'ai_share: only a guardian can let the AIs of somebody under 18 act; act for the guardian',
      {
        needsPerson: true,
      },
    );
  }
}

async function change(context: PeopleContext, tx: Tx, id: string, wanted: Wanted, by: Caller) {
  const { clock, days, lookups, outbox } = context;
  const present = await lockPerson(tx, id);
  if (present === null) throw notFound();
  // Looked at again: who may do this can have changed since.
  mayChange(by, lookups.toFacts(present), wanted);
  const changed = changedWords(present, wanted);
  if (changed.length === 0) return { facts: lookups.toFacts(present), rows: [] as OutboxRow[], ais: [] };

  const next: PersonChange = { ...wanted };
  const rows: OutboxRow[] = [];
  if (wanted.handle !== undefined && wanted.handle !== present.handle) {
    checkHandleChange(present.handleChangedAt, days.handleChange, nowDate(clock));
    rows.push(...(await moveHandle(context, tx, present, wanted.handle, by)));
    await outbox.announce(tx, rows);
    next.handleChangedAt = nowDate(clock);
  }
  if (wanted.aiShare === true && !present.aiShare) {
    await noteConsent(context, tx, { child: id, what: 'ai_share', by });
  }
  const done = await changePerson(context, tx, present, next, { changed, by });
  return { facts: done.facts, rows: [...rows, ...done.rows], ais: await listAiIdsOf(tx, [id]) };
}

function changedWords(present: PersonRow, wanted: Wanted): string[] {
  const words = { name: 'name', handle: 'handle', timeZone: 'time_zone', aiShare: 'ai_share' } as const;
  return Object.entries(words)
    .filter(([key]) => wanted[key as keyof Wanted] !== undefined)
    .filter(([key]) => wanted[key as keyof Wanted] !== present[key as keyof Wanted])
    .map(([, word]) => word);
}
