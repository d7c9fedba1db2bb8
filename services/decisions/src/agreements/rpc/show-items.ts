import { shorten } from '@hearth/addresses';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingSides } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';
import type { AgreementParty } from '../domain/agreement.ts';

const previewCharacters = 65;

export const showItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.showItems> =>
  async ({ keys }, { caller }) => {
    const waiting = await waitingSides(context, keys, caller);
    const items = waiting.map(({ row, part, side }) => {
      const starter = row.sides[0] as AgreementParty;
      return {
        key: { kind: 'agreement', id: row.id, part },
        title: row.title,
        preview: shorten(row.terms, previewCharacters),
        from: starter.address,
        fromName: starter.name,
        nameVerified: starter.status === 'claimed',
        fromStatus: starter.status,
        to: side.address,
        passedNote: side.passedNote,
      };
    });
    return { items };
  };
