import type { Event } from '@hearth/proto/events/v1/events';

/** The events of identity's that this service hears. */
export const heardTypes = ['person_changed', 'account_deleted'];

/** uuids of the people whose facts changed. */
export function changedPeople(events: readonly Event[]): string[] {
  return idsIn(events, ({ data }) => (data.case === 'personChanged' ? [data.value.person?.id ?? ''] : []));
}

/** uuids of the people whose accounts are gone. */
export function deletedPeople(events: readonly Event[]): string[] {
  return idsIn(events, ({ data }) => (data.case === 'accountDeleted' ? data.value.deleted : []));
}

/** The events after which an AI at somebody's front door may be none any more. */
export const doorTypes = ['ai_revoked', 'ai_changed', 'ai_unclaimed', 'ai_claimed'];

/** uuids of the AIs that those are about. */
export function changedAis(events: readonly Event[]): string[] {
  return idsIn(events, ({ data }) => {
    switch (data.case) {
      case 'aiRevoked':
      case 'aiChanged':
        return [data.value.ai];
      case 'aiUnclaimed':
      case 'aiClaimed':
        return [data.value.ai?.id ?? ''];
      default:
        return [];
    }
  });
}

function idsIn(events: readonly Event[], of: (event: Event) => string[]): string[] {
  return [...new Set(events.flatMap(of))].filter((id) => id !== '');
}
