import { isHearthError, notFound, unauthenticated } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { RateClass } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { Frame, Words } from '@hearth/web';
import {
  type Context,
  doneOf,
  frameWithZone,
  heldSeconds,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  type PageRequest,
  type Refusal,
  shown,
} from '../pages/module.ts';

/** The parts of a page besides the decision, plan or agreement itself. */
export interface Shown extends Refusal {
  nowMs: number;
  /** By field name. */
  values: Readonly<Record<string, string>>;
  /** The notice of the act that was just done. */
  done?: Words | undefined;
}

/** A long poll by an open page, answered once the revision changes. */
interface Wanted {
  id: string;
  wait: number;
  revision: number;
}

/** A decision, a plan or an agreement as pages. */
export interface Course<Thing> {
  name: 'decision' | 'plan' | 'agreement';
  /** "/d/:id" */
  path: string;
  pathOf(id: string): string;
  /** The notice for each value of `do`. */
  done: Readonly<Record<string, Words>>;
  find(id: string, person: Caller): Promise<Thing>;
  page(frame: Frame, thing: Thing, more: Shown): string;
  /** The initial values of its forms. */
  valuesOf(thing: Thing): Readonly<Record<string, string>>;
  /** Absent if it has no times. */
  calendar?(id: string, person: Caller): Promise<{ text: string }>;
  /** Resolves once the revision changes. */
  held(request: Own<PageRequest>, wanted: Wanted): Promise<{ revision: number }>;
  /** Does what a form asks for; returns the refusal, if any. */
  act(request: OwnForm, name: string, thing: Thing): Promise<Refusal | undefined>;
}

const idOf = (request: PageRequest) => request.param('id');

/** The page of a decision, plan or agreement, its calendar file, and the long poll for its changes. */
export function addCoursePages<Thing>(context: Context, course: Course<Thing>): void {
  const { addOwnPage, addPage } = context;
  const { name, path, done } = course;
  addOwnPage(name, path, {
    opensByLink: true,
    async get(request) {
      const thing = await find(course, request);
      return await show(context, course, request, thing, { done: doneOf(request, done) });
    },
    post: (request) => act(context, course, request),
  });
  const { calendar } = course;
  if (calendar !== undefined)
    addOwnPage(`${name}_calendar`, `${path}/calendar.ics`, {
      async get(request) {
        const { text } = await calendar(idOf(request), request.person);
        return { file: text, mediaType: 'text/calendar', name: `${name}-${idOf(request)}.ics` };
      },
    });
  addPage(`${name}_changes`, `${path}/changes`, {
    rate: RateClass.READ,
    async script(request) {
      const { person } = request.visit;
      if (person === null) throw unauthenticated('sign in again');
      const { revision } = request.body;
      const known = Number.isInteger(revision) ? Number(revision) : 0;
      const wanted = { id: idOf(request), wait: heldSeconds, revision: known };
      const later = await course.held({ ...request, person }, wanted);
      return { json: { revision: later.revision } };
    },
  });
}

/** @throws not_found unless the person can see it */
async function find<Thing>(course: Course<Thing>, request: Own<PageRequest>): Promise<Thing> {
  try {
    return await course.find(idOf(request), request.person);
  } catch (error) {
    // Remote decisions, plans and agreements have no page here.
    if (isHearthError(error) && error.kind === 'not_built') throw notFound();
    throw error;
  }
}

async function show<Thing>(
  context: Context,
  course: Course<Thing>,
  request: Own<PageRequest>,
  thing: Thing,
  more: Partial<Shown>,
): Promise<PageAnswer> {
  const frame = await frameWithZone(context, request);
  const all = { nowMs: context.clock.now(), values: course.valuesOf(thing), ...more };
  return shown(course.page(frame, thing, all), more);
}

async function act<Thing>(context: Context, course: Course<Thing>, request: OwnForm): Promise<PageAnswer> {
  const name = request.field('do');
  const wrong = Object.hasOwn(course.done, name)
    ? await course.act(request, name, await find(course, request))
    : { refused: t('courses.unknown-act') };
  if (wrong === undefined) return noticeOn(course.pathOf(idOf(request)), name);
  const present = await find(course, request);
  return await show(context, course, request, present, { values: request.values, ...wrong });
}
