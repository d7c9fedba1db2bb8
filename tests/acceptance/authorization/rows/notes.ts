import type { Row } from './row.ts';

const notes = ['adasNote', 'fellowsNote', 'strangersNote', 'noNote'] as const;

/** Notes. */
export const notesRows: readonly Row[] = [
  {
    operation: 'delete_note',
    act: (client, id) => client.delete(`/v0/notes/${id}`),
    targets: notes,
    expected: { child: 'NNNN', stranger: 'NNAN', fellow: 'NANN', ada: 'ANNN' },
  },
];
