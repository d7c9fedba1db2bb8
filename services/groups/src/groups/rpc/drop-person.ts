import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { dropFromGroups } from '../actions/drop-person.ts';
import type { Context } from '../context.ts';

export const dropPerson =
  (context: Context): UnaryHandler<typeof GroupsService.method.dropPerson> =>
  async ({ person }) => {
    if (!isUuid(person)) throw badField('person', 'must be a uuid');
    return await dropFromGroups(context, person);
  };
