import { t } from '@hearth/i18n';
import type { Words } from '@hearth/web';

const facts = [
  ...(['id', 'about', 'reason', 'text', 'by', 'at', 'resolved_at'] as const),
  ...(['resolution', 'author', 'quote', 'status', 'kind', 'title', 'answer'] as const),
  ...(['answered_at', 'origin', 'owner', 'event', 'waiting', 'failing_since', 'last_error'] as const),
  ...([
    'last_delivery_at',
    'stopped_since',
    'destination',
    'type',
    'attempt_count',
    'next_attempt_at',
    'address',
  ] as const),
  ...(['name', 'state', 'platform', 'group', 'created_at', 'last_seen', 'suspended_until'] as const),
  ...(['revoked_at', 'suspended_with_owner', 'handle', 'age_band', 'guest', 'app', 'deletes_at'] as const),
  ...(['redirect_uris', 'contact_email', 'webhook_url', 'event_types', 'minors', 'home', 'policy'] as const),
  ...(['talks', 'doc_seq', 'valid_until', 'good_at', 'tried_at', 'failure', 'endpoint'] as const),
  ...([
    'waiting_since',
    'waiting_taken_at',
    'waiting_doc_seq',
    'unsent',
    'restored_at',
    'restored',
    'began_anew_at',
  ] as const),
  ...(['kid', 'uses', 'not_before', 'not_after', 'changes_at', 'action', 'summary'] as const),
];

/** The label of a row's field; undefined for a field that rows don't show. */
export function factLabel(name: string): Words | undefined {
  const known = facts.find((fact) => fact === name);
  return known && t(`operator.fact.${known}`);
}
