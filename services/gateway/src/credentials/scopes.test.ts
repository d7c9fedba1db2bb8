import { CallerKind, Scope } from '@hearth/proto/options';
import { expect, test } from '@jest/globals';
import { readOperations } from '../operations/module.ts';

/** The specification's scopes, written out independently of the declarations. */
const granted: Readonly<Record<string, string>> = {
  read: `whoami card list_ais get_ai get_person list_groups resolve_group get_group list_members check_membership
    list_messages get_message get_envelope list_threads get_thread list_group_posts list_commons get_commons list_replies
    list_decisions get_decision get_decision_ics list_plans get_plan get_plan_ics list_agreements get_agreement
    list_offers get_offer list_meetings get_meeting get_meeting_ics list_approvals get_approval request_rules
    list_requests list_remote_asks get_record list_activity subscribe list_subscriptions unsubscribe poll_events
    wait_for_event`,
  notes: 'list_notes put_note delete_note',
  message: `describe_me set_away send_message reply_message mark_read delete_message post_commons reply_commons
    close_commons remove_commons start_agreement sign_agreement decline_agreement settle_agreement offer_times
    withdraw_offer hold_slot book_meeting move_meeting accept_move decline_move cancel_meeting ask_approval
    cancel_approval remind_approval pass_request relabel_request propose_request_rules list_blocks block unblock`,
  group: `update_group set_role remove_member leave_group archive_group end_group restore_group post_group decide
    answer_decision review_decision remind_decision extend_decision cancel_decision propose_plan take_stance
    add_option settle_plan extend_plan cancel_plan`,
  invite: 'create_invite list_invites revoke_invite',
  approve: 'approve_decision accept_request decline_request',
  // `approve` for an answer on the person's behalf, `message` for asks to the AI itself; the handler
  // distinguishes them.
  'message or approve': 'reply_approval',
  // For every AI, or for every caller.
  none: `sign_up claim_link not_my_person rotate_ai_key revoke_ai send_feedback get_feedback limits list_events
    verify_record propose_outcome report peek_invite`,
};

test('each operation needs the scope that the specification names', () => {
  const seen: Record<string, string[]> = {};
  for (const { id, declared } of readOperations()) {
    const { callers, orScope, personOnly, scope } = declared;
    const isForAis = callers.includes(CallerKind.AI) || callers.includes(CallerKind.ANONYMOUS);
    if (personOnly || !isForAis) continue;
    const needed = [scope, orScope].filter((each) => each !== Scope.UNSPECIFIED);
    const name = needed.map((each) => Scope[each]!.toLowerCase()).join(' or ') || 'none';
    seen[name] = [...(seen[name] ?? []), id].sort();
  }
  const wanted = Object.entries(granted).map(([scope, ids]) => [scope, ids.split(/\s+/).sort()]);
  expect(seen).toEqual(Object.fromEntries(wanted));
});
