-- The two tables that dashboards and scripts of earlier worker systems ask, as views with their names.
-- What is not known here is NULL. Times are ISO-8601 in UTC, as text.

CREATE VIEW worker_runs AS
SELECT
  r.run_id,
  r.worker AS group_folder,
  r.worker AS lane_id,
  r.state AS status,
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(r.started_at, r.created_at) / 1000000000.0, 'unixepoch') AS started_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.ended_at / 1000000000.0, 'unixepoch') AS completed_at,
  r.result AS result_summary,
  CAST(NULL AS TEXT) AS files_changed,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.repo') END AS dispatch_repo,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.branch') END AS dispatch_branch,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.request_id') END AS request_id,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.context_intent') END AS context_intent,
  b.dispatch AS dispatch_payload,
  r.parent_run_id,
  r.asked_session_id AS dispatch_session_id,
  coalesce(r.asked_session_id, r.session_id) AS selected_session_id,
  r.session_id AS effective_session_id,
  CASE WHEN r.asked_session_id IS NOT NULL THEN 'explicit' ELSE 'new' END
    AS session_selection_source,
  CASE
    WHEN r.session_id IS NULL THEN NULL
    WHEN r.asked_session_id IS NULL THEN 'new'
    WHEN r.asked_session_id = r.session_id THEN 'resumed'
    ELSE 'fallback_new'
  END AS session_resume_status,
  CAST(NULL AS TEXT) AS session_resume_error,
  CASE WHEN r.state IN ('queued', 'running') THEN coalesce(r.progress_phase, r.state) END AS phase,
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
  CASE WHEN r.state IN ('failed', 'failed_contract', 'failed_timeout') THEN r.result END
    AS error_details,
  CASE WHEN json_valid(b.dispatch) THEN json_extract(b.dispatch, '$.branch') END AS branch_name,
  CAST(NULL AS TEXT) AS pr_url,
  CAST(NULL AS TEXT) AS commit_sha,
  CAST(NULL AS TEXT) AS test_summary,
  CAST(NULL AS TEXT) AS risk_summary,
  r.progress_summary AS last_progress_summary,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.progress_at / 1000000000.0, 'unixepoch') AS last_progress_at,
  (SELECT count(*) FROM steers s WHERE s.run_id = r.run_id) AS steer_count,
  -- From here on what they did not have.
  strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000000000.0, 'unixepoch') AS created_at,
  r.author_group AS dispatched_by,
  r.attempt AS attempts,
  r.turn AS turns,
  r.input_tokens,
  r.output_tokens,
  r.micro_dollars / 1000000.0 AS cost_usd
FROM runs r
JOIN briefs b ON b.run_id = r.run_id
LEFT JOIN attempts a ON a.run_id = r.run_id AND a.number = r.attempt
LEFT JOIN attempts before ON before.run_id = r.run_id AND before.number = r.attempt - 1;

CREATE VIEW worker_steering_events AS
SELECT
  s.steer_id,
  s.run_id,
  s.author_group AS from_group,
  s.text AS message,
  strftime('%Y-%m-%dT%H:%M:%fZ', s.stored_at / 1000000000.0, 'unixepoch') AS sent_at,
  (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', json_extract(claim.value, '$.at'))
   FROM json_each(s.rungs) claim
   WHERE json_extract(claim.value, '$.rung') IN ('accepted', 'injected', 'seen', 'answered')
   ORDER BY claim.key LIMIT 1) AS acked_at,
  CASE
    WHEN s.ended = 'answered' THEN 'acked'
    WHEN s.ended IS NOT NULL THEN s.ended
    WHEN s.rung IN ('stored', 'offered') THEN 'pending'
    ELSE 'acked'
  END AS status,
  -- From here on what they did not have.
  s.seq,
  s.mode,
  s.rung,
  s.reason
FROM steers s;
