import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { releaseAisOf } from '../../ais/module.ts';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { lockPerson, updateDeletesAt } from '../../shared/db/people.ts';
import { appsConcerned } from '../actions/change-person.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { mayEndAccount } from '../domain/callers.ts';
import { checkConfirm, deletesAt, requireFreshSignIn } from '../domain/deletion.ts';
import { deletionAsked } from '../domain/events.ts';

/** Lets an account go in a few days. Repeated, it answers the same time. */
export const deleteAccount =
  (context: Context): UnaryHandler<typeof PeopleService.method.deleteAccount> =>
  async (request, call) => {
    const { clock, commit, limits, people } = context;
    const { caller } = call;
    const facts = await visiblePerson(context, request.id, call);
    if (mayEndAccount(caller, facts) !== 'holder') requireFreshSignIn(caller, clock.now());
    checkConfirm(request.confirm, facts.handle);
    const at = await commit(async (tx) => {
      const person = await lockPerson(tx, facts.id);
      if (person === null) throw notFound();
      const present = people.toFacts(person);
      mayEndAccount(caller, present);
      if (person.deletesAt !== null) return person.deletesAt;
      const end = deletesAt(nowDate(clock), sizeOf(limits, 'deletion_days'));
      await updateDeletesAt(tx, facts.id, end);
      await tellByMail(context, tx, person, 'closing', end.toISOString().slice(0, 10));
      const apps = person.app === null ? [] : [person.app];
      await releaseAisOf(context, tx, facts.id, { apps, by: caller });
      tx.announce(deletionAsked(present, end, await appsConcerned(tx, person), caller));
      return end;
    });
    return { deletesAt: timestampFromDate(at) };
  };
