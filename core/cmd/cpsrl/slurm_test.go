//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sbatch stands for Slurm: it runs the tasks of an array one after the other, and kills the first at its start, as a
// node that fails does, to requeue it. As Slurm does, it gives jobs its environment, unless SBATCH_EXPORT is NONE and no
// flag says otherwise. It says what a site's wrapper says around the job's ID. The check "slurm" has a real cluster.
const sbatch = `#!/bin/bash
set -eu
array="" environment=(env)
[[ ${SBATCH_EXPORT-} != NONE ]] || environment=(env -i PATH="$PATH")
while (($#)); do
	case $1 in
	--parsable) ;;
	--array=*) array=${1#--array=} ;;
	--export=ALL,*) environment=(env "${1#--export=ALL,}") ;;
	--dependency=afterany:*) echo "$1" >>dependencies ;;
	*) break ;;
	esac
	printf '%s ' "$1" >>submitted
	shift
done
echo "$1" >>submitted
printf "${SAYS-%s\\n}" 17
if [[ -z $array ]]; then exec "${environment[@]}" bash "$@"; fi
for part in ${array//,/ }; do
	for ((k = ${part%-*}; k <= ${part#*-}; k++)); do
		"${environment[@]}" SLURM_ARRAY_TASK_ID=$k timeout -s KILL 0.05 bash "$@" >/dev/null 2>&1 || true
		"${environment[@]}" SLURM_ARRAY_TASK_ID=$k bash "$@"
	done
done
`

// Oracle: the examples of sbatch's manual, and those of Slurm's own test of its times (test7.23).
func TestSlurmTimes(t *testing.T) {
	for text, valid := range map[string]bool{
		"30": true, "60:15": true, "2:00:00": true, "1-12": true, "1-12:30": true, "1-12:30:15": true, "365-1:60:15": true,
		"0": true, "0:0:15": true, "60:0": true, "100:00:00": true, "INFINITE": true, "unlimited": true, "-1": true, "596523:14:07": true,
		"": false, "--": false, "-": false, "::::": false, "1-2-3-4": false, "60:": false, ":60": false, "60:-10": false, "-60:10": false,
		"-0:-0:-0": false, " 0:0:0 ": false, "1:2:3:4": false, "1-": false, "-5": false, "1-2:": false, "1:2-3": false, "soon": false,
		"1h": false, "9999999-0:0:0": false, "99999999999": false, "596523:14:08": false, "٣": false, "1-12:30:15:1": false, "30\n": false,
	} {
		if timeLimit(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}

// The jobs compute the sweep of one machine, and submit again only what is missing.
func TestSlurm(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	program := build(t)
	path, dir, one := t.TempDir(), filepath.Join(t.TempDir(), "jobs"), t.TempDir()
	if err := os.WriteFile(filepath.Join(path, "sbatch"), []byte(sbatch), 0o777); err != nil {
		t.Fatal(err)
	}
	flags := strings.Fields(strings.TrimSuffix(strings.TrimPrefix(sixSettings, "sweep "), " -quiet"))
	swept(t, append([]string{"sweep", "-o", one}, flags...)...)
	if out := ok(t, append([]string{"slurm", "-shards", "5", "-max-array", "3", "-cpus", "2", "-time", "10", "-o", dir}, flags...)...); out != "" {
		t.Errorf("%q on standard output", out)
	}
	submitWith := func(program string, environment ...string) ([]byte, error) {
		c := exec.CommandContext(t.Context(), bash, filepath.Join(dir, "submit.sh"))
		c.Dir, c.Env = filepath.Dir(program), append(os.Environ(), "PATH="+path+":"+os.Getenv("PATH"), "CPSRL=./"+filepath.Base(program), "OFFSET=1")
		c.Env = append(c.Env, environment...)
		return c.CombinedOutput()
	}
	submit := func(environment ...string) string {
		if out, err := submitWith(program, environment...); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		defer os.Remove(filepath.Join(dir, "submitted"))
		return read(t, filepath.Join(dir, "submitted"))
	}
	// Without the program, or with one that fails, nothing is submitted: else the table would be, alone.
	failing := filepath.Join(path, "failing")
	if err := os.WriteFile(failing, []byte("#!/bin/sh\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for program, says := range map[string]string{filepath.Join(path, "nosuch"): "submit.sh: there is no program ./nosuch; let PATH lead to it, or CPSRL name it\n", failing: ""} {
		if out, err := submitWith(program); err == nil || string(out) != says {
			t.Errorf("%s: %v, %q", program, err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "submitted")); err == nil {
			t.Errorf("%s: submitted %s", program, read(t, filepath.Join(dir, "submitted")))
		}
	}
	if got := submit(); !strings.Contains(got, "--export=ALL,OFFSET=3 sweep.sbatch\n") || strings.Count(got, "\n") != 3 {
		t.Errorf("submitted: %s", got)
	}
	if got := read(t, filepath.Join(dir, "dependencies")); got != "--dependency=afterany:17:17\n" {
		t.Errorf("dependencies: %s", got)
	}
	same(t, "the jobs", content(t, filepath.Join(dir, "records")), content(t, one))
	if read(t, filepath.Join(dir, "table.csv")) != ok(t, "table", one) {
		t.Error("the table is another one")
	}
	if got := submit(); got != "table.sbatch\n" {
		t.Errorf("submitted again: %s", got)
	}
	// A site may give jobs no environment, and its sbatch may say more than the ID.
	for _, setting := range settings(t, filepath.Join(dir, "records")) {
		os.Remove(setting)
	}
	os.Remove(filepath.Join(dir, "dependencies"))
	submit("SBATCH_EXPORT=NONE", `SAYS=2026\nWelcome to the cluster\n%s;north\n3 of 4 nodes are up\n`)
	if got := read(t, filepath.Join(dir, "dependencies")); got != "--dependency=afterany:17:17\n" {
		t.Errorf("dependencies of a talkative cluster: %s", got)
	}
	same(t, "the jobs without an environment", content(t, filepath.Join(dir, "records")), content(t, one))
	os.Remove(settings(t, filepath.Join(dir, "records"))["2,2"])
	if out, err := submitWith(program, "SAYS=no job for you\n"); err == nil || !strings.HasSuffix(string(out), "submit.sh: sbatch printed no job ID, so the table is not submitted: no job for you\n") {
		t.Errorf("without an ID: %v, %s", err, out)
	}
	os.Remove(filepath.Join(dir, "submitted"))
	os.Remove(settings(t, filepath.Join(dir, "records"))["2,2"])
	if got := submit(); strings.Count(got, "\n") != 2 || strings.Contains(got, "-2") {
		t.Errorf("submitted without a file: %s", got)
	}
	same(t, "the jobs again", content(t, filepath.Join(dir, "records")), content(t, one))
	if again := ok(t, append([]string{"slurm", "-shards", "5", "-o", dir}, flags...)...); again != "" {
		t.Errorf("written again: %q", again)
	}
	for args, says := range map[string]string{
		"-o DIR": "flag -shards: a number of shards was expected", "-shards 3": "flag -o: a folder was expected", "-shards 3 -o DIR": "the folder's sweep is in 5 shards, and not in 3",
		"-shards 0 -o DIR": "expected a whole number from 1", "-shards 2 -time soon -o DIR": "expected a time such as", "-shards 2 -time -- -o DIR": "expected a time such as",
	} {
		r := cpsrl(t, append(append([]string{"slurm"}, flags...), strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)...)
		if r.status != statusInvalid || !strings.Contains(r.stderr, says) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q", args, r.status, r.stderr)
		}
	}
	// A task without its index is an error: else an array would run one shard many times.
	c := exec.CommandContext(t.Context(), bash, filepath.Join(dir, "sweep.sbatch"))
	c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "CPSRL=" + program}
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "SLURM_ARRAY_TASK_ID") {
		t.Errorf("%v: %s", err, out)
	}
}
