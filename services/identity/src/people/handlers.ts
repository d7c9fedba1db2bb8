import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Handlers } from '@hearth/rpc';
import type { PeopleContext } from './context.ts';
import { answerLink } from './rpc/answer-link.ts';
import { createGuest } from './rpc/create-guest.ts';
import { createPerson } from './rpc/create-person.ts';
import { deleteAccount } from './rpc/delete-account.ts';
import { endGuardian } from './rpc/end-guardian.ts';
import { findPeople } from './rpc/find-people.ts';
import { getAccount } from './rpc/get-account.ts';
import { getPerson } from './rpc/get-person.ts';
import { guardianView } from './rpc/guardian-view.ts';
import { keepAccount } from './rpc/keep-account.ts';
import { linkPerson } from './rpc/link-person.ts';
import { listChildren } from './rpc/list-children.ts';
import { listLinks } from './rpc/list-links.ts';
import { setGuardian } from './rpc/set-guardian.ts';
import { updatePerson } from './rpc/update-person.ts';

/** All but claim_guest, which works with what sign-in has. */
export function peopleHandlers(context: PeopleContext): Omit<Handlers<typeof PeopleService>, 'claimGuest'> {
  return {
    createPerson: createPerson(context),
    getPerson: getPerson(context),
    updatePerson: updatePerson(context),
    setGuardian: setGuardian(context),
    endGuardian: endGuardian(context),
    guardianView: guardianView(context),
    deleteAccount: deleteAccount(context),
    keepAccount: keepAccount(context),
    linkPerson: linkPerson(context),
    answerLink: answerLink(context),
    listLinks: listLinks(context),
    getAccount: getAccount(context),
    listChildren: listChildren(context),
    findPeople: findPeople(context),
    createGuest: createGuest(context),
  };
}
