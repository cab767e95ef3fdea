/** What players wait for, and what else their events tell. */

export const playerStates = {
  name: '0003-player-states',
  statements: [
    `ALTER TABLE event
  MODIFY COLUMN state Enum8('resting' = 0, 'playing' = 1, 'started' = 2, 'untimed' = 3, 'counted' = 4, 'starting' = 5, 'seeking' = 6, 'stalled' = 7, 'waiting' = 8, 'failed' = 9, 'quit' = 10),
  ADD COLUMN IF NOT EXISTS error SimpleAggregateFunction(max, LowCardinality(String)) AFTER day,
  ADD COLUMN IF NOT EXISTS streamType SimpleAggregateFunction(max, LowCardinality(String)) AFTER error,
  ADD COLUMN IF NOT EXISTS bitrate SimpleAggregateFunction(max, UInt32) AFTER streamType,
  ADD COLUMN IF NOT EXISTS rate SimpleAggregateFunction(max, Float64) AFTER bitrate`,
  ],
};
