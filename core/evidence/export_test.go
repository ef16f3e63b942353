package evidence

import (
	"cpsrl/core/document"
	"cpsrl/core/format"
)

// UnstatedZ returns the Z with which a table is weighed if nobody says one.
func UnstatedZ(log *format.Log) int {
	return unstated(log.Space, 0, document.PriorFile{}, &Data{Space: log.Space, Log: log}).Prior.Sparseness
}
