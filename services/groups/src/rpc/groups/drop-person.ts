import { badField } from '@hearth/errors';
import type { Context } from '../../context.ts';
import { isUuid } from '../../domain/uuid.ts';
import { dropFromGroups } from '../../drop-person.ts';
import type { GroupsHandlers } from './index.ts';

export const dropPerson =
  (context: Context): GroupsHandlers['dropPerson'] =>
  async ({ person }) => {
    if (!isUuid(person)) throw badField('person', 'must be a uuid');
    return await dropFromGroups(context, person);
  };
