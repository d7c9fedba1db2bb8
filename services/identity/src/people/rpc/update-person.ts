import { nowDate } from '@hearth/clock';
import { badField, forbidden, notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { PeopleService, PersonFacts, UpdatePersonRequest } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { lockPerson, type PersonRow } from '../../shared/db/people.ts';
import { checkHandleChange, handleTaken, readHandle } from '../../shared/domain/handle-choice.ts';
import { readLanguage } from '../../shared/domain/language.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { requireStanding, standingOf } from '../../shared/domain/standing.ts';
import { readTimeZone } from '../../shared/domain/time-zone.ts';
import { changePerson, type PersonChange } from '../actions/change-person.ts';
import { moveHandle } from '../actions/move-handle.ts';
import { noteConsent } from '../actions/note-consent.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { isHandleTaken } from '../db/person-addresses.ts';

type Wanted = Partial<Pick<PersonRow, 'name' | 'handle' | 'timeZone' | 'language' | 'aiShare'>>;

const notTheirs = 'only the person themselves, their guardian, or the app that holds them can change this';

/** Changes a person. Unchanged values are not announced. */
export const updatePerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.updatePerson> =>
  async (request, call) => {
    const { caller } = call;
    const wanted = readWanted(request);
    const person = await visiblePerson(context, request.id, call);
    mayChange(caller, person, wanted);
    try {
      const facts = await context.commit((tx) => change(context, tx, person.id, wanted, caller));
      return context.people.show(facts, caller);
    } catch (error) {
      throw wanted.handle !== undefined && isHandleTaken(error) ? handleTaken(wanted.handle) : error;
    }
  };

function readWanted({ name, handle, timeZone, language, aiShare }: UpdatePersonRequest): Wanted {
  return {
    ...(name !== undefined && { name: readPersonName(name) }),
    ...(handle !== undefined && { handle: readHandle(handle) }),
    ...(timeZone !== undefined && { timeZone: readTimeZone(timeZone) }),
    ...(language !== undefined && { language: readLanguage(language) }),
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
      'ai_share: only a guardian can let the AIs of a person under 18 act; act for the guardian',
      { needsPerson: true },
    );
  }
}

async function change(
  context: Context,
  tx: UnitOfWork,
  id: string,
  wanted: Wanted,
  by: Caller,
): Promise<PersonFacts> {
  const { clock, limits, people } = context;
  const present = await lockPerson(tx, id);
  if (present === null) throw notFound();
  // Checked again: the caller's rights may have changed since.
  mayChange(by, people.toFacts(present), wanted);
  const changed = changedWords(present, wanted);
  if (changed.length === 0) return people.toFacts(present);
  const next: PersonChange = { ...wanted };
  if (wanted.handle !== undefined && wanted.handle !== present.handle) {
    checkHandleChange(present.handleChangedAt, sizeOf(limits, 'handle_change_days'), nowDate(clock));
    await moveHandle(context, tx, present, wanted.handle, by);
    next.handleChangedAt = nowDate(clock);
  }
  if (wanted.aiShare === true && !present.aiShare) {
    await noteConsent(context, tx, { child: id, what: 'ai_share', by });
  }
  return await changePerson(context, tx, present, next, { changed, by });
}

function changedWords(present: PersonRow, wanted: Wanted): string[] {
  const words = {
    name: 'name',
    handle: 'handle',
    timeZone: 'time_zone',
    language: 'language',
    aiShare: 'ai_share',
  } as const;
  return Object.entries(words)
    .filter(([key]) => wanted[key as keyof Wanted] !== undefined)
    .filter(([key]) => wanted[key as keyof Wanted] !== present[key as keyof Wanted])
    .map(([, word]) => word);
}
