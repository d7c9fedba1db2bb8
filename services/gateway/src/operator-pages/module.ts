import type { Message } from '@bufbuild/protobuf';
import { notFound } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { type JsonRecord, writeMessage } from '@hearth/proto-json';
import type { Caller } from '@hearth/rpc';
import { type OperatorList, operatorListPage, operatorPage, paths } from '@hearth/web';
import {
  type Context,
  doneOf,
  frameWithZone,
  type Own,
  type OwnForm,
  type PageAnswer,
  type Refusal,
  shown,
  signedInLately,
  signInAfresh,
  unlessRefused,
} from '../pages/module.ts';
import { type AsOperator, forOperators } from './operator.ts';
import { toAct, toRow } from './rows.ts';
import type { Section, View } from './section.ts';
import { audit, deliveries, failed, homes, keys, reports } from './sections/home.ts';
import { ais, apps, feedback, people } from './sections/people.ts';

const sections: readonly Section[] = [
  reports,
  feedback,
  deliveries,
  failed,
  ais,
  people,
  apps,
  homes,
  keys,
  audit,
];
const places = sections.map(({ place, title }) => ({ place, title }));
const rowsOfPage = 50;
/** The overview counts up to this many. */
const counted = 100;

type Get = AsOperator<Own>;
type Post = AsOperator<OwnForm>;

/** The operators' pages: what needs their attention, and the acts that the operator's key allows. */
export function addOperatorPages(context: Context): void {
  const { addOwnPage } = context;
  addOwnPage('ops', paths.operator, forOperators(context, { get: (request) => overview(context, request) }));
  for (const section of sections) {
    const page = forOperators(context, {
      get: (request) => show(context, section, request),
      post: (request) => act(context, section, request),
    });
    addOwnPage(`ops_${section.place}`, paths.operatorPlace(section.place), page);
  }
}

async function overview(context: Context, request: Get): Promise<PageAnswer> {
  const counts = sections.flatMap(({ waits, ...section }) =>
    waits === undefined ? [] : [{ section, waits }],
  );
  const found = counts.map(
    async ({ section, waits: { words, query, is = () => true, urgent = () => false } }) => {
      const { place, title } = section;
      const { rows, cursor } = await listRows(context, section, request.operator, {
        ...query,
        limit: counted,
      });
      const waiting = rows.filter(is);
      const more = cursor === undefined ? 'other' : 'yes';
      const count = t(`operator.waits.${words}`, { count: waiting.length, more });
      return { place, title, words: count, urgent: waiting.some(urgent) };
    },
  );
  return { html: operatorPage(request.frame, { places, counts: await Promise.all(found) }) };
}

async function show(
  context: Context,
  section: Section,
  request: Get,
  refused?: OperatorList['refused'] & Pick<Refusal, 'passes'>,
): Promise<PageAnswer> {
  const { place, title, lead, views = [], acts = {} } = section;
  const from = request.query.get('cursor');
  const view = viewOf(section, request);
  const { rows, cursor } = await listRows(context, section, request.operator, {
    ...view?.query,
    limit: rowsOfPage,
    ...(from !== null && { cursor: from }),
  });
  const at = (target?: View, more?: Record<string, string>) => pathOf(section, target, more);
  const list: OperatorList = {
    ...{ place, title, lead, places, refused, path: herePath(section, request) },
    ...(views.length > 0 && {
      views: { all: views.map((each) => ({ words: each.words, href: at(each) })), here: at(view) },
    }),
    acts: Object.entries(acts).flatMap(([act, of]) => (of.alone ? [toAct(act, of, '')] : [])),
    rows: rows.map((row) => toRow(section, row)),
    signIn: signedInLately(request.person, context.clock.now())
      ? undefined
      : signInAfresh(herePath(section, request)),
    more: cursor && at(view, { cursor }),
    done: doneOf(request, Object.fromEntries(Object.entries(acts).map(([act, { done }]) => [act, done]))),
  };
  const html = operatorListPage(await frameWithZone(context, request), list);
  return shown(html, { errors: refused, passes: refused?.passes });
}

async function act(context: Context, section: Section, request: Post): Promise<PageAnswer> {
  const { form, field, operator } = request;
  const name = field('act');
  const id = field('id');
  const acts = section.acts ?? {};
  const wanted = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (wanted === undefined) throw notFound();
  const values = Object.fromEntries(
    wanted.fields.flatMap((each) => (form.has(each.name) ? [[each.name, field(each.name)]] : [])),
  );
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const {
    method,
    fields,
    request: requestOf = (of: string, given: JsonRecord) => ({ id: of, ...given }),
  } = wanted;
  const missing = fields.filter((each) => each.optional !== true && filled[each.name] === undefined);
  const again = (wrong: Refusal) => show(context, section, request, { id, act: name, values, ...wrong });
  if (missing.length > 0)
    return await again({
      errors: Object.fromEntries(missing.map((each) => [each.name, t('operator.required')])),
    });
  const doIt = async () => {
    await context.send(method, requestOf(id, filled, context.clock.now()), operator);
    return { goTo: herePath(section, request, { done: name }) };
  };
  return await unlessRefused(Object.fromEntries(fields.map((each) => [each.name, each.name])), doIt, again);
}

const viewOf = ({ views }: Section, { query }: Get): View | undefined =>
  views?.find(({ show }) => show === query.get('show')) ?? views?.[0];

/** The path of the rows that the request shows, with the act that was done. */
function herePath(section: Section, request: Get, done: Record<string, string> = {}): string {
  const cursor = request.query.get('cursor');
  return pathOf(section, viewOf(section, request), { ...(cursor !== null && { cursor }), ...done });
}

function pathOf({ place, views }: Section, view?: View, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(view !== views?.[0] && { show: view!.show }), ...more }).toString();
  return `${paths.operatorPlace(place)}${query === '' ? '' : `?${query}`}`;
}

async function listRows(
  { send }: Pick<Context, 'send'>,
  { list, rows, query }: Pick<Section, 'list' | 'rows' | 'query'>,
  operator: Caller,
  page: JsonRecord,
): Promise<{ rows: JsonRecord[]; cursor: string | undefined }> {
  const pages = list.input.fields.some(({ name }) => name === 'cursor');
  const answer = (await send(list, { ...query, ...(pages && page) }, operator)) as Message;
  const json = writeMessage(list.output, answer);
  const cursor = json['next_cursor'];
  return {
    rows: json[rows] as JsonRecord[],
    cursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
  };
}
