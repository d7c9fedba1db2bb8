import { english, t } from '@hearth/i18n';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingInvitations } from '../actions/waiting-invitation.ts';
import type { Context } from '../context.ts';
import { keyOf } from '../domain/items.ts';

export const showItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.showItems> =>
  async ({ keys }, { caller }) => {
    const parts = new Map(keys.map(({ id, part }) => [id, part]));
    const waiting = await waitingInvitations(context, [...parts.keys()], caller);
    const known = await context.people.find(waiting.map(({ invite }) => invite.created_by_person));
    const items = waiting
      .filter(({ invite }) => invite.part === parts.get(invite.id))
      .map(({ invite }) => ({
        key: keyOf(invite),
        title: english.words(t('requests.invitation', { group: invite.group_name })),
        fromName: known.get(invite.created_by_person)?.name ?? '',
        fromPerson: invite.created_by_person,
        nameVerified: true,
        fromStatus: 'person',
        toPerson: invite.to_person,
        passedNote: invite.passed_note,
      }));
    return { items };
  };
