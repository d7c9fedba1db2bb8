import { itemsChanged } from '@hearth/items';
import type { Context } from '../context.ts';
import type { CopiedAgreement, CopySide } from '../domain/copy.ts';
import { agreementChanged } from '../domain/events.ts';
import { itemChanges } from '../domain/items.ts';
import { type Act, next } from '../domain/machine.ts';
import { seatsOf } from '../domain/seats.ts';
import { courseOf } from '../domain/state.ts';
import { copied, notesOf } from './copied.ts';
import { doCopyErrands } from './copy-errands.ts';

/**
 * Changes what this home keeps of an agreement of another one, by the rules of its own, with what follows from that; null where
 * nothing changes.
 *
 * @param id uuid of the copy
 * @param more kept of the side beside that
 */
export async function changeCopy(
  context: Context,
  id: string,
  act: Extract<Act, { ai: string }> | { kind: 'keep'; ai: string },
  more: Partial<CopySide> = {},
): Promise<CopiedAgreement | null> {
  const { clock, copies, items } = context;
  let change: ReturnType<typeof itemChanges> = {};
  const after = await copies.change(id, (tx, copy) => {
    const before = copied(copy);
    const ruled = act.kind === 'keep' ? before : next(courseOf(before), act, clock.now());
    const sides = ruled.sides.map((side) =>
      side.ai === act.ai && side.home === undefined ? { ...side, ...more } : side,
    );
    const row = { ...before, sides };
    if (JSON.stringify(sides) === JSON.stringify(before.sides)) return null;
    change = itemChanges(before, row);
    const { placed = [], closed = [] } = change;
    if (placed.length + closed.length > 0) tx.announce(itemsChanged({ placed, closed }));
    const letIn = (one: CopiedAgreement) => one.sides.find(({ ai }) => ai === act.ai)?.box === 'inbox';
    if (!letIn(before) && letIn(row)) tx.announce(agreementChanged(row, 'started', undefined));
    return { notes: notesOf(row), seats: seatsOf(row) };
  });
  if (after === null) return null;
  await items.note(change);
  await doCopyErrands(context, id);
  return copied(after);
}
