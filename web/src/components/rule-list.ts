import { t } from '@hearth/i18n';
import { type Html, html, type Piece, type Words } from '../html.ts';
import { type RequestKind, type RuleAction, requestKinds } from '../request-copy.ts';

/** The rule for requests of one kind. */
export interface Rule {
  action: RuleAction;
  /** Accepts only people, and AIs with a responsible person. */
  checkedOnly: boolean;
  /** How many of the kind get through in a week, 1 to 1,000; null without a limit. */
  weeklyCap: number | null;
}

export type RuleRows = Readonly<Record<RequestKind, Rule>>;

/** The kinds whose rows in `next` differ from those in `present`. */
export function changedKinds(present: RuleRows, next: Partial<RuleRows>): RequestKind[] {
  return requestKinds.filter((kind) => {
    const rule = next[kind];
    return rule !== undefined && !isSameRule(rule, present[kind]);
  });
}

/** Ignores the other settings of rules that refuse every sender at once. */
function isSameRule(one: Rule, other: Rule): boolean {
  if (one.action !== other.action) return false;
  const isRefused = one.action === 'decline' || one.action === 'turn_away';
  return isRefused || (one.checkedOnly === other.checkedOnly && one.weeklyCap === other.weeklyCap);
}

/** "Ask me, known senders only, up to 5 a week". */
function ruleWords({ action, checkedOnly, weeklyCap }: Rule): Words {
  const name = t(`rules.action.${action}`);
  if (action === 'decline' || action === 'turn_away') return name;
  return t('rules.rule', { action: name, known: checkedOnly ? 'yes' : 'other', cap: weeklyCap ?? 0 });
}

/** All rows before and after the change; unchanged rows say so. */
export function ruleDiff(present: RuleRows, next: Partial<RuleRows>): Html {
  const changed = new Set(changedKinds(present, next));
  return html`<ul class="diff">${requestKinds.map((kind) => {
    if (changed.has(kind)) return changedRow(kind, present, next);
    return diffRow(
      kind,
      html`<span class="soft">${t('rules.stays', { rule: ruleWords(present[kind]) })}</span>`,
    );
  })}</ul>`;
}

/** Only the rows that would change. */
export function changedRules(present: RuleRows, next: Partial<RuleRows>): Html {
  return html`<ul class="diff">${changedKinds(present, next).map((kind) => changedRow(kind, present, next))}</ul>`;
}

function changedRow(kind: RequestKind, present: RuleRows, next: Partial<RuleRows>): Html {
  const then = ruleWords(next[kind] ?? present[kind]);
  return diffRow(
    kind,
    html`<span class="was"><span class="unseen">${t('rules.was')} </span>${ruleWords(present[kind])}</span> <span class="becomes"><span class="unseen">${t('rules.becomes')} </span>${then}</span>`,
  );
}

function diffRow(kind: RequestKind, words: Piece): Html {
  return html`<li><span class="diff-kind">${t(`requests.kind.${kind}`)}</span> <span class="diff-words">${words}</span></li>`;
}
