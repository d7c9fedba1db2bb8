import { badField } from '@hearth/errors';
import { isUuid } from '../../shared/domain/uuid.ts';
import { dropFromGroups } from '../actions/drop-person.ts';
import type { Context } from '../context.ts';
import type { GroupsHandlers } from './index.ts';

export const dropPerson =
  (context: Context): GroupsHandlers['dropPerson'] =>
  async ({ person }) => {
    if (!isUuid(person)) throw badField('person', 'must be a uuid');
    return await dropFromGroups(context, person);
  };
