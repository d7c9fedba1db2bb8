import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { archiveGroup } from './archive-group.ts';
import { checkMembership } from './check-membership.ts';
import { createGroup } from './create-group.ts';
import { deleteGroup } from './delete-group.ts';
import { dropPerson } from './drop-person.ts';
import { endGroup } from './end-group.ts';
import { findGroups } from './find-groups.ts';
import { findMembership } from './find-membership.ts';
import { getGroup } from './get-group.ts';
import { leaveGroup } from './leave-group.ts';
import { listGroupIds } from './list-group-ids.ts';
import { listGroups } from './list-groups.ts';
import { listMembers } from './list-members.ts';
import { removeMember } from './remove-member.ts';
import { resolveGroup } from './resolve-group.ts';
import { restoreGroup } from './restore-group.ts';
import { setRole } from './set-role.ts';
import { shareGroup } from './share-group.ts';
import { updateGroup } from './update-group.ts';

export type GroupsHandlers = Handlers<typeof GroupsService>;

export function groupsHandlers(context: Context): GroupsHandlers {
  return {
    listGroups: listGroups(context),
    createGroup: createGroup(context),
    resolveGroup: resolveGroup(context),
    getGroup: getGroup(context),
    updateGroup: updateGroup(context),
    listMembers: listMembers(context),
    checkMembership: checkMembership(context),
    setRole: setRole(context),
    removeMember: removeMember(context),
    leaveGroup: leaveGroup(context),
    archiveGroup: archiveGroup(context),
    endGroup: endGroup(context),
    restoreGroup: restoreGroup(context),
    deleteGroup: deleteGroup(context),
    listGroupIds: listGroupIds(context),
    shareGroup: shareGroup(context),
    findMembership: findMembership(context),
    dropPerson: dropPerson(context),
    findGroups: findGroups(context),
  };
}
