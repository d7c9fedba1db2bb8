import { asTyped } from '@hearth/addresses';
import { t } from '@hearth/i18n';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { type NewOffer, newOfferPage, paths } from '@hearth/web';
import {
  type Context,
  frameWithZone,
  ifThere,
  lineOf,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  shown,
  timesOf,
  unlessRefused,
} from '../pages/module.ts';
import { ownRefusal } from './refusal.ts';

/** The most groups that the form lists. */
const shownGroups = 100;

/** The page on which a person offers times to meet. */
export function addOfferPages(context: Context): void {
  context.addOwnPage('offer_new', paths.newOffer, {
    get: (request) => show(context, request),
    post: (request) => offer(context, request),
  });
}

async function show(context: Context, request: Own, more: Partial<NewOffer> = {}): Promise<PageAnswer> {
  const { listGroups } = GroupsService.method;
  const [frame, listed] = await Promise.all([
    frameWithZone(context, request),
    ifThere(context.ask(listGroups, { limit: shownGroups }, request.person)),
  ]);
  const groups = (listed?.groups ?? []).flatMap(({ address, archived, name }) =>
    archived || !address.startsWith('&') || address.includes('@') ? [] : [{ name, handle: address.slice(1) }],
  );
  const values = { time_zone: frame.person?.timeZone ?? '' };
  const model = { groups, values, attempt: context.ids.uuid(), ...more };
  return shown(newOfferPage({ ...frame, requests: {} }, model), more);
}

async function offer(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, given, person, values } = request;
  const addresses = field('to')
    .split(/[\s,;]+/)
    .filter((address) => address !== '');
  const group = field('group');
  const times = asTyped(field('times'));
  const { times: slots, fields } = timesOf(request, 'slots', { starts_at: 'starts', ends_at: 'ends' });
  const errors = {
    ...(field('title') === '' && { title: t('courses.title-missing') }),
    ...(addresses.length === 0 && group === '' && { to: t('meetings.new-to-missing') }),
    ...(addresses.length > 0 && group !== '' && { group: t('meetings.new-to-or-group') }),
    ...(slots.length === 0 && { 'starts-1': t('meetings.new-slots-missing') }),
    ...(field('time_zone') === '' && { time_zone: t('time-zones.missing') }),
    ...(/^\d*$/.test(times) ? {} : { times: t('meetings.new-times-invalid') }),
  };
  if (Object.keys(errors).length > 0) return await show(context, request, { values, errors });
  const wanted = {
    ...given('title', 'place', 'time_zone', 'note', { request_id: 'attempt' }),
    ...(times !== '' && { times: Number(times) }),
    ...{ slots, to: group === '' ? addresses : [`&${group}`] },
  };
  const at = group === '' ? 'to' : 'group';
  const named = wanted.to.map((address, index) => [
    `to[${index}]`,
    wanted.to.length > 1 ? lineOf(at, address) : at,
  ]);
  const same = ['title', 'place', 'time_zone', 'note', 'times'].map((name) => [name, name]);
  const fieldsOfPage = { ...Object.fromEntries([...named, ...same]), to: at, slots: 'starts-1', ...fields };
  const gone =
    group === '' ? t('meetings.new-to-unknown', { count: addresses.length }) : t('meetings.new-group-gone');
  const notThere = { errors: { [at]: gone } };
  return await unlessRefused(
    fieldsOfPage,
    async () =>
      noticeOn(
        paths.offer((await context.send(MeetingsService.method.offerTimes, wanted, person)).id),
        'offered',
      ),
    (wrong) => show(context, request, { values, ...wrong }),
    (error) => (error.kind === 'not_found' ? notThere : ownRefusal(error)),
  );
}
