import type { ItemSourceService, MoveItemsRequest } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { changeUnsettled } from '../actions/change-approval.ts';
import { leaveDoor, moveToFamily } from '../actions/move-places.ts';
import type { Context } from '../context.ts';
import type { Why } from '../domain/machine.ts';

/** The items move with the rows of the asks, so the response has no changes. */
export const moveItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.moveItems> =>
  async ({ keys, to }) => {
    const move = await moverTo(context, to);
    for (const [id, parts] of Map.groupBy(keys, (key) => key.id)) {
      const positions = parts.map(({ part }) => part);
      await move(id, positions);
    }
    return {};
  };

type Mover = (id: string, positions: readonly number[]) => Promise<void>;

async function moverTo(context: Context, to: MoveItemsRequest['to']): Promise<Mover> {
  switch (to.case) {
    case 'owner':
      return (id, positions) => leaveDoor(context, id, positions);
    case 'family': {
      const { child: id, answering, suspended } = to.value;
      const facts = await context.people.find([id, ...answering]);
      const child = facts.get(id);
      if (child === undefined) return async () => {};
      const family = { child, answering: answering.flatMap((one) => facts.get(one) ?? []), suspended };
      return (ask) => moveToFamily(context, ask, family);
    }
    case 'end': {
      const why = to.value as Why;
      return (id, positions) =>
        changeUnsettled(context, id, () => ({ act: { kind: 'drop', positions, why }, by: null }));
    }
    default:
      return async () => {};
  }
}
