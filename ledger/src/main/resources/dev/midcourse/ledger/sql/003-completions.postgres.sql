-- worker_runs with what the completion of a run says, and with the words of those systems for where a
-- session came from, for the phase of a run that is over, and for what went wrong (JSON).

CREATE INDEX events_completed ON events (run_id, cursor) WHERE kind = 'completion_accepted';
CREATE INDEX events_not_completed ON events (run_id, cursor) WHERE kind = 'completion_rejected';

DROP VIEW worker_runs;

CREATE VIEW worker_runs AS
SELECT
  r.run_id,
  r.worker AS group_folder,
  r.worker AS lane_id,
  r.state AS status,
  iso_time(coalesce(r.started_at, r.created_at)) AS started_at,
  iso_time(r.ended_at) AS completed_at,
  r.result AS result_summary,
  json_field(said.body, 'files_changed') AS files_changed,
  json_field(b.dispatch, 'repo') AS dispatch_repo,
  json_field(b.dispatch, 'branch') AS dispatch_branch,
  json_field(b.dispatch, 'request_id') AS request_id,
  json_field(b.dispatch, 'context_intent') AS context_intent,
  b.dispatch AS dispatch_payload,
  r.parent_run_id,
  json_field(b.dispatch, 'session_id') AS dispatch_session_id,
  r.asked_session_id AS selected_session_id,
  r.session_id AS effective_session_id,
  CASE
    WHEN r.asked_session_id IS NULL THEN 'new'
    WHEN r.asked_session_id = json_field(b.dispatch, 'session_id') THEN 'explicit'
    ELSE 'auto_repo_branch'
  END AS session_selection_source,
  CASE
    WHEN r.session_id IS NULL THEN NULL
    WHEN r.asked_session_id IS NULL THEN 'new'
    WHEN r.asked_session_id = r.session_id THEN 'resumed'
    ELSE 'fallback_new'
  END AS session_resume_status,
  CAST(NULL AS TEXT) AS session_resume_error,
  CASE r.state
    WHEN 'queued' THEN 'queued'
    WHEN 'running' THEN coalesce(r.progress_phase, 'active')
    ELSE 'terminal'
  END AS phase,
  iso_time(r.progress_at) AS last_heartbeat_at,
  iso_time(a.started_at) AS spawn_acknowledged_at,
  CAST(NULL AS TEXT) AS active_container_name,
  CAST(NULL AS TEXT) AS no_container_since,
  0 AS expects_followup_container,
  r.lease_host AS supervisor_owner,
  iso_time(r.lease_until) AS lease_expires_at,
  before.end_reason AS recovered_from_reason,
  r.agent AS agent_id,
  r.agent AS agent_type,
  CASE WHEN r.attempt > 1 THEN r.attempt - 1 ELSE 0 END AS retry_count,
  CASE WHEN r.state IN ('failed', 'failed_contract', 'failed_timeout') THEN
    json_build_object(
      'reason', r.state,
      'missing', coalesce(json_field(refused.body, 'missing'), '[]')::json,
      'output_excerpt', substr(r.result, 1, 2000))::text
  END AS error_details,
  json_field(said.body, 'branch') AS branch_name,
  json_field(said.body, 'pr_url') AS pr_url,
  json_field(said.body, 'commit_sha') AS commit_sha,
  json_field(said.body, 'test_result') AS test_summary,
  json_field(said.body, 'risk') AS risk_summary,
  r.progress_summary AS last_progress_summary,
  iso_time(r.progress_at) AS last_progress_at,
  (SELECT count(*) FROM steers s WHERE s.run_id = r.run_id) AS steer_count,
  -- From here on what they did not have.
  iso_time(r.created_at) AS created_at,
  r.author_group AS dispatched_by,
  json_field(said.body, 'pr_skipped_reason') AS pr_skipped_reason,
  r.attempt AS attempts,
  r.turn AS turns,
  r.input_tokens,
  r.output_tokens,
  r.micro_dollars / 1000000.0 AS cost_usd
FROM runs r
JOIN briefs b ON b.run_id = r.run_id
LEFT JOIN attempts a ON a.run_id = r.run_id AND a.number = r.attempt
LEFT JOIN attempts before ON before.run_id = r.run_id AND before.number = r.attempt - 1
LEFT JOIN events said ON said.cursor = (
  SELECT max(e.cursor) FROM events e
  WHERE e.run_id = r.run_id AND e.kind = 'completion_accepted')
LEFT JOIN events refused ON r.state = 'failed_contract' AND refused.cursor = (
  SELECT max(e.cursor) FROM events e
  WHERE e.run_id = r.run_id AND e.kind = 'completion_rejected');
