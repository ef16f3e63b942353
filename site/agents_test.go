package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The document's table of what agents learned is that of the study, whose rows have the hash of their records, and what is
// said of it holds. The client's tests play CliffWalking again and compare the hash.
func TestAgentStudy(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "studies", "agent.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	text := prose(t, "docs/agent.md")
	last := map[string]float64{}
	names := map[string]string{"c-psrl": "C-PSRL", "psrl": "PSRL"}
	for k, row := range rows[1:] {
		if hash := row[len(row)-1]; !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(hash) || row[4] != "3" || row[5] != "1" {
			t.Errorf("%q is not of 3 runs of seed 1, or has no hash", row)
		}
		problem := ""
		if k%2 == 0 {
			problem = fmt.Sprintf("%s, %s episodes", row[0], row[3])
		}
		line := "| " + problem + " | " + names[row[1]] + " | " + strings.ReplaceAll(strings.Join(row[6:16], " | "), "-", "−") + " |"
		if line = strings.Join(strings.Fields(line), " "); !strings.Contains(text, line) {
			t.Errorf("the document has no row %s", line)
		}
		last[row[0]+" "+row[1]], err = strconv.ParseFloat(row[15], 64)
		if err != nil {
			t.Error(err)
		}
	}
	for sentence, holds := range map[string]bool{
		"an episode has at most 300 steps, and the best return is −13":      rows[1][2] == "300" && last["CliffWalking c-psrl"] == -13,
		"In CliffWalking, PSRL learns that it can stand still, and does so": last["CliffWalking psrl"] == -300,
		"In Taxi-v3, it has at most 20, since the longest way takes 18":     rows[3][2] == "20" && last["Taxi-v3 c-psrl"] > 0,
		"over 3 runs of seed 1": len(rows) == 5,
	} {
		if !strings.Contains(text, sentence) || !holds {
			t.Errorf("%q is not said, or does not hold", sentence)
		}
	}
}

// Each problem of the study has a picture with a curve for each agent.
func TestAgentPictures(t *testing.T) {
	dir := t.TempDir()
	if err := writeAgents(dir, "figures"); err != nil {
		t.Fatal(err)
	}
	text := prose(t, "docs/agent.md")
	for _, name := range []string{"poster-agent-cliffwalking.svg", "poster-agent-taxi-v3.svg"} {
		svg, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, agent := range []string{">C-PSRL<", ">PSRL<"} {
			if !strings.Contains(strings.ReplaceAll(string(svg), "\u2011", "-"), agent) {
				t.Errorf("%s does not name %s", name, agent)
			}
		}
		if !strings.Contains(text, "../figures/"+name) {
			t.Errorf("the document does not show %s", name)
		}
	}
}
