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
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(r.started_at, r.created_at) / 1000000000.0, 'unixepoch') AS started_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.ended_at / 1000000000.0, 'unixepoch') AS completed_at,
  r.result AS result_summary,
  json_extract(said.body, '$.files_changed') AS files_changed,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.repo') END AS dispatch_repo,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.branch') END AS dispatch_branch,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.request_id') END AS request_id,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.context_intent') END AS context_intent,
  b.dispatch AS dispatch_payload,
  r.parent_run_id,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.session_id') END AS dispatch_session_id,
  r.asked_session_id AS selected_session_id,
  r.session_id AS effective_session_id,
  CASE
    WHEN r.asked_session_id IS NULL THEN 'new'
    WHEN r.asked_session_id = CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.session_id') END THEN 'explicit'
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
  strftime('%Y-%m-%dT%H:%M:%fZ', r.progress_at / 1000000000.0, 'unixepoch') AS last_heartbeat_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', a.started_at / 1000000000.0, 'unixepoch') AS spawn_acknowledged_at,
  CAST(NULL AS TEXT) AS active_container_name,
  CAST(NULL AS TEXT) AS no_container_since,
  0 AS expects_followup_container,
  r.lease_host AS supervisor_owner,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.lease_until / 1000000000.0, 'unixepoch') AS lease_expires_at,
  before.end_reason AS recovered_from_reason,
  r.agent AS agent_id,
  r.agent AS agent_type,
  CASE WHEN r.attempt > 1 THEN r.attempt - 1 ELSE 0 END AS retry_count,
  CASE WHEN r.state IN ('failed', 'failed_contract', 'failed_timeout') THEN
    json_object(
      'reason', r.state,
      'missing', json(coalesce(json_extract(refused.body, '$.missing'), '[]')),
      'output_excerpt', substr(r.result, 1, 2000))
  END AS error_details,
  json_extract(said.body, '$.branch') AS branch_name,
  json_extract(said.body, '$.pr_url') AS pr_url,
  json_extract(said.body, '$.commit_sha') AS commit_sha,
  json_extract(said.body, '$.test_result') AS test_summary,
  json_extract(said.body, '$.risk') AS risk_summary,
  r.progress_summary AS last_progress_summary,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.progress_at / 1000000000.0, 'unixepoch') AS last_progress_at,
  (SELECT count(*) FROM steers s WHERE s.run_id = r.run_id) AS steer_count,
  -- From here on what they did not have.
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000000000.0, 'unixepoch') AS created_at,
  r.author_group AS dispatched_by,
  json_extract(said.body, '$.pr_skipped_reason') AS pr_skipped_reason,
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
