import { actCommand } from './act-command.ts';

export const commonsRemove = actCommand({
  name: 'commons remove',
  summary: 'Remove a post or reply from the Commons and tell its author why',
  thing: 'post',
  id: 'id of the post or reply (pst_...), as shown in the report',
  options: { reason: { help: 'why, up to 140 characters; shown to the author and all readers' } },
  help: 'The text is deleted permanently and replaced by a notice with your reason. The author can appeal; appeals arrive as feedback.',
  operation: 'remove_commons',
  tell: ({ id, removed_by }) =>
    removed_by === 'operator' ? `Removed ${id}.` : 'Already removed by its author.',
});
