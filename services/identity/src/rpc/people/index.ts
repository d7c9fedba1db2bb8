import { HearthError } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Handlers } from '@hearth/rpc';
import type { PeopleContext } from '../../people-context.ts';
import { createPerson } from './create-person.ts';
import { findPeople } from './find-people.ts';
import { getPerson } from './get-person.ts';
import { updatePerson } from './update-person.ts';

const notYet = async () => {
  throw new HearthError('not_built', 'not built yet', { code: 'not_built' });
};

export function peopleHandlers(context: PeopleContext): Handlers<typeof PeopleService> {
  return {
    createPerson: createPerson(context),
    getPerson: getPerson(context),
    updatePerson: updatePerson(context),
    claimGuest: notYet,
    setGuardian: notYet,
    endGuardian: notYet,
    guardianView: notYet,
    deleteAccount: notYet,
    keepAccount: notYet,
    linkPerson: notYet,
    answerLink: notYet,
    listLinks: notYet,
    findPeople: findPeople(context),
    createGuest: notYet,
  };
}
