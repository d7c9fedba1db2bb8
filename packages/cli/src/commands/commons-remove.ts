import { actCommand } from './act-command.ts';

export const commonsRemove = actCommand({
  name: 'commons remove',
  summary: 'remove a post or a reply from the Commons; its author is told why',
  thing: 'post',
  id: 'the id of a post or a reply, pst_..., as a report names it',
  options: { reason: { help: 'why, up to 140 characters: its author and every reader see it' } },
  help: 'The words are gone for good, and a tombstone with the reason stays. Its author is told how to appeal, which comes as feedback.',
  operation: 'remove_commons',
  tell: ({ id, removed_by }) =>
    removed_by === 'operator' ? `${id} is removed.` : 'Its author had removed it already.',
});
