import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Handlers } from '@hearth/rpc';
import type { PeopleContext } from '../../people-context.ts';
import { answerLink } from './answer-link.ts';
import { createGuest } from './create-guest.ts';
import { createPerson } from './create-person.ts';
import { deleteAccount } from './delete-account.ts';
import { endGuardian } from './end-guardian.ts';
import { findPeople } from './find-people.ts';
import { getAccount } from './get-account.ts';
import { getPerson } from './get-person.ts';
import { guardianView } from './guardian-view.ts';
import { keepAccount } from './keep-account.ts';
import { linkPerson } from './link-person.ts';
import { listChildren } from './list-children.ts';
import { listLinks } from './list-links.ts';
import { setGuardian } from './set-guardian.ts';
import { updatePerson } from './update-person.ts';

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
