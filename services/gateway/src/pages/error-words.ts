import type { ErrorCode, HearthError, Range } from '@hearth/errors';
import { type Text, t } from '@hearth/i18n';
import { moment, othersText } from '@hearth/web';

/** An error worded for people. Its message is for programs: it names fields, operations and ids. */
export function errorWords({ kind, details }: HearthError): Text {
  const { code, field, range, reason, resetsAt, rule } = details;
  if (kind === 'rate_limited')
    return resetsAt === undefined
      ? t('common.too-often')
      : t('common.too-often-until', { time: momentOf(resetsAt) });
  if (code === 'suspended' && reason !== undefined && resetsAt !== undefined)
    return t('errors.code.suspended', { until: momentOf(resetsAt), reason: othersText(reason, 200) });
  if (kind === 'unauthenticated') return t('errors.sign-in');
  if (kind === 'unavailable' && code !== 'home_unreachable') return t('common.unavailable');
  if (rule !== undefined) return t(`errors.rule.${rule}`);
  if (code === 'bad_field') return range === undefined ? fieldWords(field) : rangeWords(range);
  return (code && byCode[code]) ?? t('errors.other');
}

/** The reader's time zone is unknown here; the browser shows the moment in its own. */
const momentOf = (at: Date) => moment({}, at.getTime());

/** `errorWords` for a script, which shows no markup and therefore no time. */
export const plainErrorWords = (error: HearthError): Text =>
  error.details.resetsAt === undefined
    ? errorWords(error)
    : error.kind === 'rate_limited'
      ? t('common.too-often')
      : t('errors.other');

const byCode: Readonly<Partial<Record<ErrorCode, Text>>> = {
  already_settled: t('errors.code.already_settled'),
  ambiguous_time: t('common.clocks-change'),
  archived: t('errors.code.archived'),
  ask_changed: t('errors.code.ask_changed'),
  callback_challenge_failed: t('errors.code.callback_challenge_failed'),
  cap_reached: t('errors.code.cap_reached'),
  guardian_needed: t('errors.code.guardian_needed'),
  held_elsewhere: t('errors.code.held_elsewhere'),
  home_denied: t('errors.code.home_denied'),
  home_unreachable: t('errors.code.home_unreachable'),
  key_revoked: t('errors.code.key_revoked'),
  last_organizer: t('errors.code.last_organizer'),
  last_sign_in: t('errors.code.last_sign_in'),
  minors_not_allowed: t('errors.code.minors_not_allowed'),
  needs_person: t('errors.code.needs_person'),
  no_permission: t('errors.code.no_permission'),
  not_a_member: t('errors.code.not_a_member'),
  not_built: t('errors.code.not_built'),
  not_empty: t('errors.code.not_empty'),
  not_found: t('errors.code.not_found'),
  not_waiting: t('errors.code.not_waiting'),
  own_ask: t('errors.code.own_ask'),
  plans_off: t('errors.code.plans_off'),
  request_id_reused: t('common.sent-differently'),
  secret_in_text: t('errors.code.secret_in_text'),
  slot_taken: t('errors.code.slot_taken'),
  time_zone_needed: t('errors.code.time_zone_needed'),
  too_large: t('errors.code.too_large'),
  turned_away: t('errors.code.turned_away'),
};

const choice = t('errors.field.choice');
const person = t('errors.field.person');
const time = t('errors.field.time');

/** Errors by the last name in a field's path. */
const byField: Readonly<Record<string, Text>> = {
  birth_year_month: t('errors.field.birth'),
  by: person,
  code: t('errors.field.code'),
  confirm: t('errors.field.confirm'),
  date: time,
  do: t('common.page-expired'),
  email: t('errors.field.email'),
  ends_at: time,
  for_age: choice,
  front_door: choice,
  group: t('errors.field.group'),
  guardian: t('errors.field.guardian'),
  handle: t('errors.field.handle'),
  home: t('errors.field.home'),
  invitee: choice,
  join_review: choice,
  kind: choice,
  minors: choice,
  name: t('errors.field.name'),
  passkey: t('errors.field.passkey'),
  note: t('errors.field.note'),
  permissions: t('errors.field.permissions'),
  plans: choice,
  q: t('errors.field.search'),
  request_kind: choice,
  sort: choice,
  speaker: choice,
  starts_at: time,
  status: choice,
  time_zone: t('errors.field.time_zone'),
  to: person,
  with: person,
};

/** @param path such as `options[1].starts_at` */
function fieldWords(path = ''): Text {
  const name = path
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .at(-1)!;
  return Object.hasOwn(byField, name) ? byField[name]! : t('errors.field');
}

function rangeWords({ of, least, most }: Range): Text {
  if (of === 'items') return t('errors.items', { least, most });
  if (of === 'number') return t('errors.number', { least, most });
  return least === most ? t('errors.characters-exactly', { most }) : t('errors.characters', { least, most });
}
