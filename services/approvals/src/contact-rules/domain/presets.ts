import { type RequestKindName, requestKinds } from '../../shared/domain/request-kinds.ts';
import { everyRow, type Rule, type RuleRows } from './rules.ts';

/** The presets that rules can start from. */
export const presetNames = [
  'just_me',
  'family',
  'job_seeker',
  'founder',
  'freelancer',
  'public_figure',
] as const;

export type PresetName = (typeof presetNames)[number];

const ask = (weeklyCap: number | null): Rule => ({ action: 'ask', checkedOnly: false, weeklyCap });
const frontDoor = (weeklyCap: number): Rule => ({ action: 'front_door', checkedOnly: false, weeklyCap });
const checked = (rule: Rule): Rule => ({ ...rule, checkedOnly: true });
const decline: Rule = { action: 'decline', checkedOnly: false, weeklyCap: null };
const turnAway: Rule = { action: 'turn_away', checkedOnly: false, weeklyCap: null };

/** In the order of `requestKinds`: personal, introduction, recruiting, sales, offer, other. */
function rows(...rules: [Rule, Rule, Rule, Rule, Rule, Rule]): RuleRows {
  return Object.fromEntries(requestKinds.map((kind, index) => [kind, rules[index]])) as Record<
    RequestKindName,
    Rule
  >;
}

/** The rules of an adult who chose none. */
export const defaultRows: RuleRows = rows(ask(10), ask(10), decline, decline, ask(10), ask(10));

/**
 * The rules of a child: senders who share no group with them do not reach them, unless a guardian allows it.
 */
export const minorRows: RuleRows = everyRow('turn_away');

export const presets: Readonly<Record<PresetName, RuleRows>> = {
  just_me: rows(checked(ask(5)), decline, turnAway, turnAway, turnAway, decline),
  family: rows(ask(20), checked(ask(5)), turnAway, turnAway, decline, decline),
  job_seeker: rows(ask(20), ask(20), ask(null), turnAway, frontDoor(10), frontDoor(10)),
  founder: rows(ask(20), checked(frontDoor(20)), decline, decline, frontDoor(10), frontDoor(10)),
  freelancer: rows(ask(20), ask(20), frontDoor(10), decline, ask(20), frontDoor(10)),
  public_figure: rows(
    checked(frontDoor(20)),
    checked(frontDoor(10)),
    decline,
    turnAway,
    checked(frontDoor(10)),
    decline,
  ),
};
