import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { CallerKind, RateClass } from '@hearth/proto/options';
import { expect, test } from '@jest/globals';
import { declarationOf } from './declaration.ts';

const { AI, ANONYMOUS, APP, OPERATOR, PERSON } = CallerKind;

test('AIs, people and apps may call by default', () => {
  expect(declarationOf(GroupsService.method.listGroups)?.callers).toEqual([AI, PERSON, APP]);
  expect(declarationOf(GroupsService.method.deleteGroup)?.callers).toEqual([OPERATOR]);
  expect(declarationOf(InvitesService.method.acceptInvite)?.callers).toEqual([ANONYMOUS, PERSON, APP]);
});

test('an operation for people only excludes AIs', () => {
  expect(declarationOf(PeopleService.method.updatePerson)?.callers).toEqual([PERSON, APP]);
});

test('GET counts as a read and other methods as writes by default', () => {
  const rates = [
    GroupsService.method.listGroups,
    GroupsService.method.createGroup,
    GroupsService.method.deleteGroup,
    InvitesService.method.peekInvite,
  ].map((method) => declarationOf(method)?.rate);
  expect(rates).toEqual([RateClass.READ, RateClass.WRITE, RateClass.WRITE, RateClass.PEEK]);
});

test('an internal rpc declares no operation', () => {
  expect(declarationOf(GroupsService.method.findGroups)).toBeUndefined();
});
