package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"time"

	"cpsrl/core/record"
	"cpsrl/core/results"
	"cpsrl/core/strict"
	"cpsrl/render/film"
	"cpsrl/wasm/wire"
)

// Played is what has come of a run since the line before: pieces of its film, its records and its curves.
type Played struct {
	Film     *film.Film `json:"film,omitzero"`
	Unfilmed string     `json:"unfilmed,omitempty"` // why there is no film; in the first line
	Records  string     `json:"records,omitempty"`  // as JSON Lines
	Episodes int        `json:"episodes"`           // the number of these records
	Snapshot *Snapshot  `json:"snapshot,omitzero"`  // of all records so far
}

// servePlay plays one agent in one run, and draws it meanwhile: what the answers of /v1/film, /v1/run and
// /v1/summary are together, by one instance that plays the run once.
func servePlay(w wire.Answer, r *wire.Request) error {
	e, run, label, err := readRun(r)
	if err != nil {
		return err
	}
	alone, err := e.Alone(run, label)
	if err != nil {
		return err
	}
	var line Played
	shots, err := film.Shoot(r.Context, e, run, label, film.Learning(e.Spec().Episodes, film.Smooth))
	if err != nil { // too large to be drawn; it may be played all the same
		line.Unfilmed = asDetails(err).Detail
		shots = bare(alone.Run())
	}
	var (
		b       = newBatches(w)
		bytes   []byte
		all     []*record.Record
		hash    = sha256.New()
		summary = results.NewSummary(alone)
		next    = pace{wait: snapshotTime}
		drawn   = time.Now() // the time of the last snapshot
	)
	send := func() error {
		line.Records = string(bytes)
		b.bytes = strict.AppendLine(b.bytes, &line)
		line, bytes = Played{}, bytes[:0]
		return b.flush()
	}
	for shot, err := range shots {
		if err != nil {
			return b.fail(err)
		}
		from := len(bytes)
		bytes = record.AppendRecord(bytes, shot.Record)
		hash.Write(bytes[from:])
		line.Episodes++
		all = append(all, shot.Record)
		if err := summary.Add(shot.Record); err != nil {
			return b.fail(err)
		}
		if shot.Piece != nil {
			if line.Film == nil {
				line.Film = shot.Piece
			} else {
				line.Film.Append(shot.Piece)
			}
		}
		// In a browser a look at the clock is slow. The first episode is shown while the others are played.
		if b.begun && len(all)%batchLook != 0 {
			continue
		}
		now := time.Now()
		if next.due(now.Sub(drawn), 0) {
			line.Snapshot = snapshotOf(summary, 0, all)
			drawn = time.Now()
			next.made(drawn.Sub(now), 0)
		}
		if !b.begun || line.Snapshot != nil || now.Sub(b.sent) >= batchTime {
			if send() != nil {
				return nil // the client has gone
			}
		}
	}
	pair, _ := alone.DefaultPair()
	if line.Snapshot, err = lastOf(summary, 1, hex.EncodeToString(hash.Sum(nil)), pair); err != nil {
		return b.fail(err)
	}
	send()
	return nil
}

// bare returns shots without a film.
func bare(records iter.Seq2[*record.Record, error]) iter.Seq2[film.Shot, error] {
	return func(yield func(film.Shot, error) bool) {
		for r, err := range records {
			if !yield(film.Shot{Record: r}, err) {
				return
			}
		}
	}
}
